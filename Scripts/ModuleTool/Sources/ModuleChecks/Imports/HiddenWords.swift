import Foundation

/// The words of source files by which code uses modules, or is used by other modules, without an import.
struct HiddenWords {
    private typealias Word = ArraySlice<UInt8>

    /// Whether code in other modules may find some of the code by name.
    private(set) var define = false
    /// Whether the code may find code of other modules by name.
    private(set) var lookUp = false
    /// The words of the files that contain `canImport`.
    private var tested: Set<Word> = []

    /// Adds the words of a file; nil if the file is unreadable, and so may find and define any code.
    ///
    /// Complexity: O(*bytes*).
    mutating func add(_ content: Data?) {
        guard let content else {
            (define, lookUp) = (true, true)
            return
        }
        let words = Set([UInt8](content).split { !Self.isPart($0) })
        define = define || !words.isDisjoint(with: Self.definitions)
        lookUp = lookUp || !words.isDisjoint(with: Self.lookUps)
        if words.contains(Self.canImport) { tested.formUnion(words) }
    }

    /// Whether a file contains `canImport` and the name of a module.
    func mayTest(_ module: String) -> Bool { tested.contains(ArraySlice(module.utf8)) }

    /// Whether a byte is a part of a word. Bytes above 0x7F belong to letters of other scripts.
    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "@"), 0x80...: true
        default: false
        }
    }

    private static func set(_ words: [String]) -> Set<Word> { Set(words.map { ArraySlice($0.utf8) }) }

    /// The attributes of declarations that code in other modules can use without an import.
    private static let definitions = set([
        "@_cdecl", "@c", "@_silgen_name", "@objc", "@objcMembers", "@_dynamicReplacement", "@_expose",
        "@_section", "@section", "@_used", "@used",
    ])

    /// The words with which code uses declarations of modules that it does not import.
    private static let lookUps = set([
        "@_silgen_name", "@_extern", "@extern", "dlsym", "NSClassFromString", "objc_getClass", "_typeByName",
        "classNamed",
    ])

    private static let canImport = ArraySlice("canImport".utf8)
}
