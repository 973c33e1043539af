/// Formats generated code as `swift format` does, with lines of at most 109 columns.
enum Layout {
    /// One column less than the formatter allows, because its linter sometimes counts the line's newline.
    static let columns = 109

    /// The first of several layouts of the same code that fits into the columns; the last layout if none
    /// fits.
    static func fitting(_ ways: String...) -> String {
        ways.first { $0.split(separator: "\n").allSatisfy { $0.count <= columns } } ?? ways[ways.count - 1]
    }

    /// An array literal with one element per line. `indentation` applies to the closing bracket.
    static func array(_ elements: [String], indentation: Int) -> String {
        let space = String(repeating: " ", count: indentation)
        let comma = elements.count > 1 ? "," : ""
        return "[\n" + elements.map { "\(space)    \($0)" }.joined(separator: ",\n") + "\(comma)\n\(space)]"
    }

    /// Wraps text into the lines of a comment, each of which begins with `prefix`.
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

    /// Sorted import lines, without duplicates.
    static func imports(_ modules: [String]) -> String {
        Set(modules).sorted().map { "import \($0)" }.joined(separator: "\n")
    }

    /// `A`, `A and B`, `A, B and C`.
    static func list(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
