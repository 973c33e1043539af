/// Words that can begin a fact, such as an import, a declaration or an Api call. A block without any of these
/// words contains no fact.
struct NotableWords: Sendable {
    /// The words for ``SourceScanner/Scope/imports``.
    static let imports = importWord

    /// The words for ``SourceScanner/Scope/names``. `didSet` and `willSet` do not begin a fact, but show the
    /// parser that their block is not a closure.
    static let names = NotableWords(namesList, suffix: "Module")

    /// The words for the larger scopes, for which ``FactVisitor`` collects all facts.
    static let all = NotableWords(
        namesList + [
            "public", "open", "protocol", "struct", "class", "enum", "actor", "extension", "version",
        ], suffix: "Module")

    private static let namesList = [
        "import", "api", "requireApi", "registerApi", "register", "init", "typealias", "return", "throw",
        "didSet", "willSet",
    ]

    static let importWord = NotableWords(["import"])
    static let extensionWord = NotableWords(["extension"])

    /// The keywords that can stand between `import` and the name of the module.
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
