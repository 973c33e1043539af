/// Finds and replaces the `version` of a module type: `public let version = "1.0.0"` in `RideModule`.
struct ModuleVersionEdit {
    let version: String
    let line: Int

    private let text: String
    private let range: Range<String.Index>

    /// Finds the version in a file; nil when the file has no such type with a literal version.
    init?(_ text: String, type: String) {
        // The literal is the value of `let version = "1.0.0"` or of `var version: String { "1.0.0" }`.
        let member = /\b(?:let|var) version(?:: String)?\s*[={]\s*(?:get\s*{\s*)?(?:return\s+)?"([^"\\]*)"/
        guard
            let declaration = text.firstRange(of: "struct \(type)") ?? text.firstRange(of: "class \(type)")
                ?? text.firstRange(of: "actor \(type)") ?? text.firstRange(of: "extension \(type)"),
            let match = text[declaration.upperBound...].firstMatch(of: member)
        else { return nil }
        (self.text, version) = (text, String(match.1))
        range = match.1.startIndex..<match.1.endIndex
        line = text[..<range.lowerBound].count { $0.isNewline } + 1
    }

    func replaced(by version: String) -> String {
        String(text[..<range.lowerBound]) + version + text[range.upperBound...]
    }
}
