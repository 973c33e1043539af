import Foundation

/// One change of one line of a source file, which a test should notice.
struct Mutation: Equatable {
    /// The path in the package.
    let file: String
    /// The number of the line, from 1.
    let line: Int
    let before: String
    /// The changed line; empty if the statement is removed.
    let after: String

    /// How a report and the list of equivalent changes write the mutation. It has no line number, so that an edit
    /// elsewhere in the file does not make an entry of the list stale.
    var name: String {
        func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespaces) }
        return "\(file): \(trimmed(before)) -> \(trimmed(after))"
    }

    /// Operators that stand between spaces, and words.
    private static let replacements = [
        (" < ", [" <= "]), (" <= ", [" < "]), (" > ", [" >= "]), (" >= ", [" > "]), (" == ", [" != "]),
        (" != ", [" == "]), (" === ", [" !== "]), (" !== ", [" === "]), (" && ", [" || "]),
        (" || ", [" && "]),
        (" + ", [" - "]), (" - ", [" + "]), (" * ", [" / "]), (" / ", [" * "]), (" % ", [" * "]),
        (" += ", [" -= "]), (" -= ", [" += "]), ("..<", ["..."]), ("true", ["false"]), ("false", ["true"]),
        ("min(", ["max("]), ("max(", ["min("]), ("(!", ["("]), (" !", [" "]),
    ]

    /// All changes of a source file, in the order of its lines.
    static func all(in text: String, file: String) -> [Mutation] {
        let lines = text.components(separatedBy: "\n")
        return zip(lines.indices, code(of: lines)).flatMap { index, code in
            changes(of: lines[index], code).map {
                Mutation(file: file, line: index + 1, before: lines[index], after: $0)
            }
        }
    }

    /// The lines with everything replaced by `#` that is no code of this platform: comments, literals of strings, and
    /// the parts of `#if` that are compiled elsewhere.
    private static func code(of lines: [String]) -> [String] {
        var (isText, conditions) = (false, [Bool]())
        return lines.map { line in
            let words = line.trimmingCharacters(in: .whitespaces)
            if words.hasPrefix("#if ") { conditions.append(words.contains("canImport(Darwin)")) }
            if words == "#else", let last = conditions.popLast() { conditions.append(!last) }
            if words == "#endif" { _ = conditions.popLast() }
            let quotes = line.components(separatedBy: #"""""#).count - 1
            defer { if quotes % 2 == 1 { isText.toggle() } }
            if isText || quotes > 0 || conditions.contains(true) || words.hasPrefix("#") { return "" }
            var (code, isString, isEscaped) = ("", false, false)
            for (index, character) in zip(line.indices, line) {
                if !isString, line[index...].hasPrefix("//") { break }
                if character == "\"", !isEscaped { isString.toggle() }
                isEscaped = character == "\\" && !isEscaped
                code.append(isString ? "#" : character)
            }
            return code
        }
    }

    private static func changes(of line: String, _ code: String) -> [String] {
        let words = code.trimmingCharacters(in: .whitespaces)
        // Declarations of the compiler's, and what only documents a mistake of the programmer.
        let ignored = ["@", "import ", "case ", "precondition", "assert", "fatalError", "typealias "]
        guard !words.isEmpty, !ignored.contains(where: words.hasPrefix) else { return [] }
        var changed: [String] = []
        /// Adds the line with a part replaced, at the same place as in its code.
        func add(_ range: Range<String.Index>, _ replacement: String) {
            let start = code.distance(from: code.startIndex, to: range.lowerBound)
            let length = code.distance(from: range.lowerBound, to: range.upperBound)
            let characters = Array(line)
            changed.append(
                String(characters[..<start]) + replacement + String(characters[(start + length)...]))
        }
        for (operation, others) in replacements {
            for range in code.ranges(of: operation) { for other in others { add(range, other) } }
        }
        for match in code.matches(of: /[\w.#$]+/) {
            if let number = Int(match.output) { add(match.range, "\(number + 1)") }
        }
        for match in code.matches(of: /\((\w+), (\w+)\)/) {
            add(match.range, "(\(match.output.2), \(match.output.1))")
        }
        let isStatement =
            words.wholeMatch(of: /(try\??!? )?[\w.!?]+(\(.*\)| [-+*\/]?= .*)/) != nil && isBalanced(words)
        let isGuard = words.wholeMatch(of: /guard (?!.*\b(let|var|case)\b).* else \{.*\}/) != nil
        let isKeyword =
            words.hasPrefix("return") || words.hasPrefix("super.init") || words.hasPrefix("self.init")
        if isStatement && !isKeyword && !words.contains("await") || isGuard { changed.append("") }
        return changed
    }

    private static func isBalanced(_ code: String) -> Bool {
        ["()", "{}", "[]"].allSatisfy { pair in
            code.count { $0 == pair.first } == code.count { $0 == pair.last }
        }
    }
}
