/// The error for a required Api that is not registered.
///
/// Thrown by ``ApiCenter/requireApi(type:fileID:line:)``. The description contains the call site, the
/// missing IMP, the reason and the fix.
public struct ApiError: Error, Hashable, CustomStringConvertible {
    /// The module-qualified name of the missing Api, such as `ModuleBApi.ModuleBApiProtocol`.
    public let api: String

    /// The call site of the failed request.
    public let site: CallSite

    /// The registered Apis with similar names, sorted. The caller may have meant one of them.
    public let similar: [String]

    /// If ApiCenter or the Api is linked into two images of this process: a text with both images and the fix.
    public let linkedTwice: String?

    init(api: String, site: CallSite, registered: [String], linkedTwice: String?) {
        self.api = api
        self.site = site
        self.linkedTwice = linkedTwice
        similar = registered.filter { Self.isSimilar($0, api) }
    }

    /// One line with the call site, the missing IMP, the reason and the fix.
    public var description: String {
        let alike =
            similar.isEmpty ? "" : " Registered under similar names: \(similar.joined(separator: ", "))."
        let type = api.split(separator: ".").last.map(String.init) ?? api
        if let linkedTwice { return "\(site): no IMP of \(api) is registered here. \(linkedTwice)" }
        return """
            \(site): no IMP of \(api) is registered.\(alike) An Api has an IMP only once its module has \
            registered one, and a module may be left out of an app. Register the IMP at launch, before this \
            call (register(\(type).self) { ... }), or ask with api(type:), which returns nil for a \
            missing IMP, and carry on without it.
            """
    }

    /// Whether two names are equal, or one name extends the other by at most two letters (`Journey`, `Journeys`).
    /// Letter case, modules and the endings `Api` and `Protocol` are ignored.
    private static func isSimilar(_ one: String, _ other: String) -> Bool {
        let one = stem(one), other = stem(other)
        guard abs(one.count - other.count) <= 2 else { return false }
        return one.hasPrefix(other) || other.hasPrefix(one)
    }

    /// The part of a name that is compared: `moduleb` for `ModuleBApi.ModuleBApiProtocol`.
    private static func stem(_ name: String) -> String {
        var stem = name.split(separator: ".").last?.lowercased() ?? ""
        for ending in ["protocol", "api"] where stem.hasSuffix(ending) { stem.removeLast(ending.count) }
        return stem
    }
}
