import Foundation

/// One change of one line of a source file, which a test should notice.
struct Mutation: Hashable {
    /// What is changed: an operator or word into another, a number, the order of two arguments, a statement that is
    /// removed, or a `guard`.
    enum Part: Hashable {
        case word(String, String), number(Int), arguments(String, String), statement, condition
    }

    /// The path in the tree.
    let file: String
    /// The number of the line, from 1.
    let line: Int
    let before: String
    /// The changed line; empty if the statement is removed.
    let after: String
    let part: Part
    /// The changed columns of the line.
    let columns: Range<Int>

    /// How a report and the list of equivalent changes write the mutation. It has no line number, so that an edit
    /// elsewhere in the file does not make an entry of the list stale.
    var name: String {
        func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespaces) }
        return "\(file): \(trimmed(before)) -> \(trimmed(after))"
    }

    /// Operators that stand between spaces, and words.
    private static let replacements = [
        (" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "),
        (" != ", " == "), (" === ", " !== "), (" !== ", " === "), (" && ", " || "),
        (" || ", " && "),
        (" + ", " - "), (" - ", " + "), (" * ", " / "), (" / ", " * "), (" % ", " * "),
        (" += ", " -= "), (" -= ", " += "), ("..<", "..."), ("true", "false"), ("false", "true"),
        ("min(", "max("), ("max(", "min("), ("(!", "("), (" !", " "),
    ]

    /// All changes of a source file, in the order of its lines.
    static func all(in text: String, file: String) -> [Mutation] {
        let lines = text.components(separatedBy: "\n")
        return zip(lines.indices, code(of: lines)).flatMap { index, code in
            changes(of: lines[index], code).map {
                Mutation(
                    file: file, line: index + 1, before: lines[index], after: $0.after, part: $0.part,
                    columns: $0.columns)
            }
        }
    }

    /// The lines with everything replaced by `#` that is no code of this platform: comments, literals of strings and
    /// regular expressions, and the parts of `#if` that are compiled elsewhere.
    private static func code(of lines: [String]) -> [String] {
        var (isText, conditions) = (false, [Bool]())
        return lines.map { line in
            let words = line.trimmingCharacters(in: .whitespaces)
            if words.hasPrefix("#if ") { conditions.append(isElsewhere(words)) }
            if words.hasPrefix("#elseif ") { conditions[conditions.count - 1] = isElsewhere(words) }
            if words == "#else", let last = conditions.popLast() { conditions.append(!last) }
            if words == "#endif" { _ = conditions.popLast() }
            let quotes = line.components(separatedBy: #"""""#).count - 1
            defer { if quotes % 2 == 1 { isText.toggle() } }
            if isText || quotes > 0 || conditions.contains(true) || words.hasPrefix("#") { return "" }
            var (code, quote, isEscaped) = ("", Character?.none, false)
            for (index, character) in zip(line.indices, line) {
                let rest = line[index...]
                if quote == nil, rest.hasPrefix("//") { break }
                // What follows an operator is a space, `=` or a parenthesis.
                let isRegex =
                    character == "/" && rest.dropFirst().first.map(" =)".contains) == false
                    && code.last.map(" (".contains) != false
                if !isEscaped, quote == nil ? character == "\"" || isRegex : character == quote {
                    quote = quote == nil ? character : nil
                }
                isEscaped = character == "\\" && !isEscaped
                code.append(quote == nil ? character : "#")
            }
            return code
        }
    }

    /// Whether Linux does not compile the code below a condition.
    private static func isElsewhere(_ condition: String) -> Bool {
        if condition.contains("if !") { return condition.contains("(Linux)") }
        let others = ["Darwin", "SwiftUI", "UIKit", "Security", "Network", "os", "Musl", "Android", "iOS"]
        return others.contains { condition.contains("(\($0))") }
    }

    private typealias Change = (after: String, part: Part, columns: Range<Int>)

    private static func changes(of line: String, _ code: String) -> [Change] {
        let words = code.trimmingCharacters(in: .whitespaces)
        // Left out: declarations for the compiler, code for old Apple systems, preconditions, and reserved capacity.
        let ignored = [
            "@", "import ", "case ", "guard #available", "precondition", "assert", "fatalError", "typealias ",
        ]
        guard !words.isEmpty, !ignored.contains(where: words.hasPrefix), !words.contains("reserveCapacity")
        else { return [] }
        var changed: [Change] = []
        /// Adds the line with a part replaced, at the same place as in its code.
        func add(_ range: Range<String.Index>, _ replacement: String, _ part: Part) {
            let start = code.distance(from: code.startIndex, to: range.lowerBound)
            let columns = start..<start + code.distance(from: range.lowerBound, to: range.upperBound)
            changed.append((line.replacing(columns, with: replacement), part, columns))
        }
        for (operation, other) in replacements {
            for range in code.ranges(of: operation)
            where !(operation == " !" && code[range.upperBound...].hasPrefix("="))
                // The name of an operator that is declared here.
                && !code[..<range.lowerBound].hasSuffix("func")
            {
                add(range, other, .word(operation, other))
            }
        }
        for match in code.matches(of: /[\w.#$]+/) {
            if let number = Int(match.output) { add(match.range, "\(number + 1)", .number(number)) }
        }
        // The order of the arguments of `min` and `max` does not matter.
        for match in code.matches(of: /(\w+)(\((\w+), (\w+)\))/)
        where !["min", "max"].contains(match.output.1) {
            let (one, two) = ("\(match.output.3)", "\(match.output.4)")
            let both = match.output.2
            add(both.startIndex..<both.endIndex, "(\(two), \(one))", .arguments(one, two))
        }
        let isStatement =
            words.wholeMatch(of: /(try\??!? )?[\w.!?]+(\(.*\)| [-+*\/]?= .*)/) != nil && isBalanced(words)
        let isGuard = words.wholeMatch(of: /guard (?!.*\b(let|var|case)\b).* else \{.*\}/) != nil
        let isKeyword =
            words.hasPrefix("return") || words.hasPrefix("super.init") || words.hasPrefix("self.init")
        if isGuard || isStatement && !isKeyword && !words.contains("await") {
            changed.append(("", isGuard ? .condition : .statement, 0..<code.count))
        }
        return changed
    }

    private static func isBalanced(_ code: String) -> Bool {
        ["()", "{}", "[]"].allSatisfy { pair in
            code.count { $0 == pair.first } == code.count { $0 == pair.last }
        }
    }
}

extension String {
    /// The string with the characters at these offsets replaced.
    func replacing(_ columns: Range<Int>, with replacement: String) -> String {
        let characters = Array(self)
        return String(characters[..<columns.lowerBound]) + replacement
            + String(characters[columns.upperBound...])
    }
}
