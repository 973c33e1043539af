/// Words that a fact begins with. A block without any of them holds no fact.
struct NotableWords: Sendable {
    /// What ``SourceScanner/Scope/imports`` asks for.
    static let imports = importWord

    /// What ``SourceScanner/Scope/names`` asks for. `didSet` and `willSet` begin no fact, but tell the parser
    /// that their block is not a closure.
    static let names = NotableWords(namesList, suffix: "Module")

    /// What ``FactVisitor`` looks at.
    static let all = NotableWords(
        namesList + [
            "public", "open", "protocol", "struct", "class", "enum", "actor", "extension", "version",
        ], suffix: "Module")

    private static let namesList = ["import", "api", "requireApi", "registerApi", "didSet", "willSet"]

    static let importWord = NotableWords(["import"])
    static let extensionWord = NotableWords(["extension"])

    /// What may stand between `import` and the module's name.
    static let importKinds = NotableWords([
        "typealias", "struct", "class", "enum", "protocol", "let", "var", "func", "actor",
    ])

    static let directives = NotableWords(["if", "elseif", "else", "endif"])

    private let words: [[UInt8]]
    private let suffix: [UInt8]

    private init(_ words: [String], suffix: String? = nil) {
        self.words = words.map { Array($0.utf8) }
        self.suffix = suffix.map { Array($0.utf8) } ?? []
    }

    func contains(_ word: ArraySlice<UInt8>) -> Bool {
        if words.contains(where: { $0.count == word.count && $0.elementsEqual(word) }) { return true }
        return !suffix.isEmpty && word.count >= suffix.count
            && word.suffix(suffix.count).elementsEqual(suffix)
    }
}
