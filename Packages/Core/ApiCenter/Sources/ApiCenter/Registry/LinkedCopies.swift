/// Finds a second copy of this module in the process, which has another `ApiCenter.shared` and finds none of the Apis
/// that are registered in this copy.
///
/// The runtime looks up a type's name in every image, so one of the two copies gets the other copy's type. That copy
/// tells the other one through a protocol of the standard library, which both share. Two statically linked Swift
/// runtimes do not see each other, so their copies are not found.
struct LinkedCopies: LosslessStringConvertible {
    /// The text about both copies; nil if no second copy has been found so far.
    static let found = Locked<String?>(nil)

    let description: String

    /// Stores a text about this copy and another one. The other copy calls this initialiser, too.
    init?(_ description: String) {
        self.description = description
        Self.found.withLock { $0 = description }
    }

    /// The check, which runs once in each copy, when the copy creates its first center.
    static let check: Void = {
        guard let name = _mangledTypeName(LinkedCopies.self), let type = _typeByName(name),
            type != LinkedCopies.self, let other = type as? any LosslessStringConvertible.Type
        else { return }
        // The identity of a type that is not generic is the address of its metadata, inside its image.
        let images = [LinkedCopies.self, type].map { image(at: UInt(bitPattern: ObjectIdentifier($0))) }
        let text = """
            ApiCenter is linked twice, into \(images[0]) and into \(images[1]). Each copy has its own \
            ApiCenter.shared, and finds no Api that the other copy registered. Put ApiCenter and the Apis into one \
            dynamic library, which everything else links.
            """
        _ = LinkedCopies(text)
        _ = other.init(text)
    }()

    /// The path of the image that contains an address.
    static func image(at address: UInt) -> String {
        // `dladdr` writes four words, the first of which is the path, and returns 0 if no image has the address.
        var words: (path: UInt, UInt, UInt, UInt) = (0, 0, 0, 0)
        guard unsafe dladdr(address, &words) != 0,
            let path = unsafe UnsafePointer<CChar>(bitPattern: words.path)
        else { return "an unknown image" }
        return unsafe String(cString: path)
    }
}

extension ApiCenter {
    /// A text for the app's developers if ApiCenter is linked into two images of this process: both images and the fix.
    /// Otherwise nil.
    ///
    /// A copy is found when both copies have created a center. Thread-safe.
    public static var linkedTwice: String? { LinkedCopies.found.withLock { $0 } }

    /// Why an Api that is registered may be missing for this caller: ApiCenter or the Api is linked twice.
    func linkedTwice(_ api: Any.Type, at site: CallSite) -> String? {
        let name = String(reflecting: api)
        guard let twin = visibleBoxes.values.first(where: { $0.name == name && $0.type != api }) else {
            return Self.linkedTwice
        }
        return """
            \(name) is linked twice: \(twin.site) in \(twin.site.image) registered another type of the same name as \
            \(site) in \(site.image) requests. Link it once: put ApiCenter and the Apis into one dynamic library, \
            which everything else links.
            """
    }
}

extension CallSite {
    /// The image that contains the call.
    fileprivate var image: String {
        file.hasPointerRepresentation
            ? LinkedCopies.image(at: unsafe UInt(bitPattern: file.utf8Start)) : "an unknown image"
    }
}

// Declared by hand with the C signature: the headers of Linux declare this function only if `_GNU_SOURCE` is defined.
@_silgen_name("dladdr")
private func dladdr(_ address: UInt, _ words: UnsafeMutablePointer<(path: UInt, UInt, UInt, UInt)>) -> CInt
