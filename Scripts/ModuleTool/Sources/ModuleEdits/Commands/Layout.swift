/// Puts generated code on lines of at most 109 columns, broken where `swift format` breaks it.
enum Layout {
    /// One less than the format allows: its linter counts the end of a line in some places.
    static let columns = 109

    /// The first of several ways to write the same that fits, or the last one.
    static func fitting(_ ways: String...) -> String {
        ways.first { $0.split(separator: "\n").allSatisfy { $0.count <= columns } } ?? ways[ways.count - 1]
    }

    /// An array, on one line or one element a line. `indentation` is that of the closing bracket.
    static func array(_ elements: [String], indentation: Int) -> String {
        let space = String(repeating: " ", count: indentation)
        let comma = elements.count > 1 ? "," : ""
        return "[\n" + elements.map { "\(space)    \($0)" }.joined(separator: ",\n") + "\(comma)\n\(space)]"
    }

    /// Words in a comment's lines, each after `prefix`.
    static func comment(_ text: String, prefix: String) -> String {
        var lines: [String] = []
        var line = prefix
        for word in text.split(separator: " ") {
            if line.count + word.count >= columns, line != prefix {
                lines.append(line)
                line = prefix
            }
            line += (line == prefix ? "" : " ") + word
        }
        return (lines + [line]).joined(separator: "\n")
    }

    /// Import lines, each module once, in order.
    static func imports(_ modules: [String]) -> String {
        Set(modules).sorted().map { "import \($0)" }.joined(separator: "\n")
    }

    /// `A`, `A and B`, `A, B and C`.
    static func list(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
