import ModuleKit
import Yams

/// A value in a YAML file, with its place and the name of its key.
struct YAMLValue {
    private let node: Node
    private let name: String
    private let file: String

    /// The value of a whole file; nil if the file contains only comments.
    init?(_ text: String, in file: String) throws(Diagnostic) {
        do {
            guard let node = try Yams.compose(yaml: text), node.null == nil else { return nil }
            (self.node, name, self.file) = (node, "the file", file)
        } catch {
            let (place, what): (String, String) =
                switch error as? YamlError {
                case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
                    .composer(_, let problem, let mark, _):
                    (":\(mark.line):\(mark.column)", "is not YAML: \(problem)")
                case .duplicatedKeysInMapping(let keys, let mapping):
                    (
                        ":\(mapping.mark.line):\(mapping.mark.column)",
                        "contains duplicate keys: \(keys.joined(separator: ", "))"
                    )
                default: ("", "is not YAML: it contains characters that are not allowed")
                }
            throw Diagnostic(
                .configuration, at: file + place, what,
                why: "No rule can be checked without the configuration.",
                fix: "Correct it; YAML indents with spaces, and a key ends with a colon and a space.")
        }
    }

    private init(_ node: Node, _ name: String, in file: String) {
        (self.node, self.name, self.file) = (node, name, file)
    }

    /// Where the value stands in the file.
    var place: SourcePlace {
        let mark = node.mark
        return SourcePlace(path: file, line: mark?.line ?? 0, column: mark?.column ?? 0)
    }

    /// An error at the place of this value.
    func error(_ what: String, _ fix: String) -> Diagnostic {
        Diagnostic(
            .configuration, at: place, what,
            why: "A wrong setting would change what the rules check.",
            fix: fix)
    }

    /// Throws an error at the place of this value, unless a condition holds.
    func check(_ isValid: Bool, _ what: String, _ fix: String) throws(Diagnostic) {
        if !isValid { throw error(what, fix) }
    }

    private func mismatch(_ wanted: String) -> Diagnostic {
        error("\(name) is \(text(of: node)), but must be \(wanted)", "Write \(wanted), or remove the key.")
    }

    /// A scalar's text, shortened, for messages.
    private func text(of node: Node) -> String {
        guard let text = node.scalar?.string else { return "a list or a mapping" }
        return text.isEmpty ? "empty" : "'\(text.prefix(40))\(text.count > 40 ? "..." : "")'"
    }

    // MARK: Collections

    /// The values by key.
    ///
    /// - Parameter keys: The keys that are allowed here.
    func entries(_ keys: [String]) throws(Diagnostic) -> [String: YAMLValue] {
        guard case .mapping(let mapping) = node else {
            throw mismatch("keys with values, such as \(keys[0])")
        }
        var entries: [String: YAMLValue] = [:]
        for (key, value) in mapping {
            let word = YAMLValue(key, name, in: file)
            guard let name = key.scalar?.string, keys.contains(name) else {
                throw word.error(
                    "\(text(of: key)) is not a key of \(self.name)",
                    Spelling.choice(for: key.scalar?.string ?? "", among: keys))
            }
            entries[name] = YAMLValue(value, name, in: file)
        }
        return entries
    }

    /// The value of a required key.
    func require(_ key: String, in entries: [String: YAMLValue]) throws(Diagnostic) -> YAMLValue {
        if let value = entries[key] { return value }
        throw error("an element of \(name) is missing the key \(key)", "Add the key: \(key): ...")
    }

    var elements: [YAMLValue] {
        get throws(Diagnostic) {
            guard case .sequence(let sequence) = node else { throw mismatch("a list") }
            return sequence.map { YAMLValue($0, name, in: file) }
        }
    }

    /// The elements of a list of texts.
    var texts: [String] {
        get throws(Diagnostic) { try elements.map { (element) throws(Diagnostic) in try element.text } }
    }

    // MARK: Scalars

    var text: String { get throws(Diagnostic) { try text("text") { _ in true } } }

    /// The text as a single line, even if it spans several lines of the file.
    var line: String {
        get throws(Diagnostic) { try text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }

    /// A name that begins with a letter, and contains letters, digits and these other characters.
    func name(with others: String = "_") throws(Diagnostic) -> String {
        try text("a name of letters and digits") { text in
            text.first?.isLetter == true
                && text.allSatisfy { $0.isLetter || $0.isNumber || others.contains($0) }
        }
    }

    /// A path below the root, in its shortest form.
    var path: String {
        get throws(Diagnostic) {
            let text = try text("the path of a file or folder below the root") { text in
                let clean = PathText.clean(text)
                return !clean.isEmpty && !clean.hasPrefix("/") && clean != ".." && !clean.hasPrefix("../")
                    && !clean.contains("*")
                    && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
            }
            return PathText.clean(text)
        }
    }

    /// A path below the root that must exist.
    func path(_ exists: (String) -> Bool) throws(Diagnostic) -> String { try existing(path, exists) }

    func existing(_ path: String, _ exists: (String) -> Bool) throws(Diagnostic) -> String {
        try check(exists(path), "\(path) does not exist", "correct the path, or create the file or folder")
        return path
    }

    var flag: Bool {
        get throws(Diagnostic) { try text("true or false") { $0 == "true" || $0 == "false" } == "true" }
    }

    /// A version that consists of numbers.
    func version(parts: ClosedRange<Int>) throws(Diagnostic) -> String {
        let example = ["15", "6.3", "1.2.0"][parts.lowerBound - 1]
        return try text("a version, such as \(example)") { text in
            let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
            return parts.contains(numbers.count)
                && numbers.allSatisfy { number in
                    UInt(number) != nil && number.allSatisfy(\.isNumber)
                }
        }
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>() throws(Diagnostic) -> Choice {
        let wanted = "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", ")
        guard let choice = Choice(rawValue: try text(wanted) { _ in true }) else { throw mismatch(wanted) }
        return choice
    }

    private func text(_ wanted: String, _ isValid: (String) -> Bool) throws(Diagnostic) -> String {
        guard case .scalar(let scalar) = node, node.null == nil, !scalar.string.isEmpty,
            isValid(scalar.string)
        else { throw mismatch(wanted) }
        return scalar.string
    }
}
