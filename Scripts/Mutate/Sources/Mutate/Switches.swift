import Foundation

/// A source file that contains several changes, each behind a switch: the program makes the change whose number is in
/// the environment variable `MUTANT`. So one build serves many changes.
///
/// An operator is replaced by an operator of the change's own, which is declared at the end of the file.
struct Switches {
    /// The text with all changes.
    private(set) var text = ""
    /// The changes of each line of the text, by its number. A compiler's error there says that the change does not
    /// compile as a switch.
    private(set) var numbers: [Int: [Int]] = [:]

    /// - Parameter mutations: The changes of the file with their numbers. Those that overlap others are left out.
    init(_ original: String, _ mutations: [(number: Int, mutation: Mutation)]) {
        var lines = original.components(separatedBy: "\n")
        var taken: [Int: [Range<Int>]] = [:]
        var declarations: [(number: Int, text: String)] = []
        // From right to left, so that the columns stay valid. What covers the whole line is wrapped around the rest.
        for (number, mutation) in mutations.sorted(by: { Self.place($0.mutation) > Self.place($1.mutation) })
        {
            let isWhole = mutation.part == .statement || mutation.part == .condition
            let others = taken[mutation.line, default: []]
            guard isWhole || !others.contains(where: mutation.columns.overlaps) else { continue }
            let (replacement, declaration) = Self.replacement(mutation, number, in: lines[mutation.line - 1])
            lines[mutation.line - 1] =
                isWhole
                ? replacement : lines[mutation.line - 1].replacing(mutation.columns, with: replacement)
            if !isWhole { taken[mutation.line, default: []].append(mutation.columns) }
            numbers[mutation.line, default: []].append(number)
            if !declaration.isEmpty { declarations.append((number, declaration)) }
        }
        for (number, declaration) in declarations {
            lines.append(declaration)
            numbers[lines.count] = [number]
        }
        lines += [
            "#if canImport(Darwin)", "import Darwin", "#else", "import Glibc", "#endif",
            "private let activeMutant = unsafe getenv(\"MUTANT\").map { unsafe atoi($0) } ?? -1",
            "private func mutant(_ number: Int32) -> Bool { activeMutant == number }",
        ]
        text = lines.joined(separator: "\n")
    }

    private static func place(_ mutation: Mutation) -> Int {
        mutation.part == .statement || mutation.part == .condition ? -1 : mutation.columns.lowerBound
    }

    private static func replacement(
        _ mutation: Mutation, _ number: Int, in line: String
    ) -> (text: String, declaration: String) {
        let isOn = "mutant(\(number))"
        switch mutation.part {
        case .number(let value): return ("(\(isOn) ? \(value + 1) : \(value))", "")
        case .arguments(let one, let two):
            return ("(\(isOn) ? \(two) : \(one), \(isOn) ? \(one) : \(two))", "")
        case .statement:
            let comment = mutation.before.count - mutation.columns.upperBound
            return ("if !\(isOn) { \(line.dropLast(comment)) }\(line.suffix(comment))", "")
        case .condition:
            let parts = line.components(separatedBy: " else {")
            let condition = parts[0].replacing("guard ", with: "guard \(isOn) || (", maxReplacements: 1)
            return (([condition + ")"] + parts.dropFirst()).joined(separator: " else {"), "")
        case .word(let old, let new):
            let (one, two) = (
                old.trimmingCharacters(in: .whitespaces), new.trimmingCharacters(in: .whitespaces)
            )
            if Bool(one) != nil { return ("(\(isOn) ? \(two) : \(one))", "") }
            // Two mathematical signs make a name for an operator.
            let name = String(
                String.UnicodeScalarView(
                    [0x2200 + number / 256, 0x2200 + number % 256].compactMap(Unicode.Scalar.init)))
            return (
                old.hasSuffix("(") ? "either\(number)(" : old.replacing(one == "(!" ? "!" : one, with: name),
                declaration(of: one, two, name, isOn, number)
            )
        }
    }

    /// The declaration of the operator, or of `min` and `max`, that does one or the other.
    private static func declaration(
        of one: String, _ two: String, _ name: String, _ isOn: String, _ number: Int
    ) -> String {
        func operation(_ group: String, _ generic: String, _ type: String, _ result: String) -> String {
            "infix operator \(name): \(group)Precedence; private func \(name)\(generic)(a: \(type), b: \(type)) -> \(result) "
                + "{ \(isOn) ? a \(two) b : a \(one) b }"
        }
        switch one {
        case "<", "<=", ">", ">=": return operation("Comparison", "<T: Comparable>", "T", "Bool")
        case "==", "!=":
            // Swift also has two operators. With the first one alone, `a == (b ?? c)` may compare other optionals.
            return operation("Comparison", "<T: Equatable>", "T", "Bool")
                + "; private func \(name)<T: Equatable>(a: T?, b: T?) -> Bool { \(isOn) ? a \(two) b : a \(one) b }"
        case "===", "!==": return operation("Comparison", "", "AnyObject?", "Bool")
        case "+", "-": return operation("Addition", "<T: AdditiveArithmetic>", "T", "T")
        case "*", "/", "%": return operation("Multiplication", "<T: BinaryInteger>", "T", "T")
        case "&&", "||":
            let group = one == "&&" ? "Conjunction" : "Disjunction"
            return
                "infix operator \(name): Logical\(group)Precedence; private func \(name)(a: Bool, b: @autoclosure () throws -> Bool) "
                + "rethrows -> Bool { \(isOn) ? try a \(two) b() : try a \(one) b() }"
        case "+=", "-=":
            return
                "infix operator \(name): AssignmentPrecedence; private func \(name)<T: AdditiveArithmetic>(a: inout T, b: T) "
                + "{ if \(isOn) { a \(two) b } else { a \(one) b } }"
        case "..<":
            return
                "infix operator \(name): RangeFormationPrecedence; private func \(name)(a: Int, b: Int) -> Range<Int> "
                + "{ a..<(\(isOn) ? b + 1 : b) }"
        case "min(", "max(":
            return
                "private func either\(number)<T: Comparable>(_ a: T, _ b: T) -> T { \(isOn) ? \(two)a, b) : \(one)a, b) }"
        default:
            return
                "prefix operator \(name); private prefix func \(name)(a: Bool) -> Bool { \(isOn) ? a : !a }"
        }
    }
}
