import Testing

@testable import Mutate

@Suite("The changes of a source file")
struct MutationTests {
    private func changes(_ text: String) -> [String] { Mutation.all(in: text, file: "A.swift").map(\.after) }

    @Test(
        "Operators, constants, arguments and statements are changed, one at a time",
        arguments: [
            ("if a < b {", ["if a <= b {"]), ("let c = a && b", ["let c = a || b"]),
            ("return a + 1", ["return a - 1", "return a + 2"]), ("return a[0..<n]", ["return a[0...n]"]),
            ("let all = [true, false]", ["let all = [false, false]", "let all = [true, true]"]),
            ("let a = f(x, y)", ["let a = f(y, x)"]), ("let a = max(x, y)", ["let a = min(x, y)"]),
            ("let a = x ?? !y", ["let a = x ?? y"]),
            ("list.append(x)", [""]), ("count = 7", ["count = 8", ""]), ("guard a else { return }", [""]),
            ("guard let a else { return }", []), ("try await f()", []), ("return f()", []), ("a(b) {", []),
            ("let 0x10 = a.0 + $0", ["let 0x10 = a.0 - $0"]),
            (#"let a = "b < \" && c" // d > e"#, []),
            (
                #"let a = text.split(separator: /b{2}\/ < 3/) + c"#,
                [#"let a = text.split(separator: /b{2}\/ < 3/) - c"#]
            ),
            ("a /= 2", ["a /= 3", ""]), ("let a = b.reduce(c, /) + d", ["let a = b.reduce(c, /) - d"]),
            ("let a = b / 2 / c", ["let a = b * 2 / c", "let a = b / 2 * c", "let a = b / 3 / c"]),
            ("#if a == b", []), ("/// a < b", []),
            ("case .a: 1", []), ("@a(1)", []), ("guard #available(macOS 26, *) else { return false }", []),
            ("precondition(a < b)", []),
            ("static func == (a: A, b: A) -> Bool {", []),
            ("func == (a: A, b: A) -> Bool { c == d }", ["func == (a: A, b: A) -> Bool { c != d }"]),
        ] as [(String, [String])])
    func change(_ line: String, _ expected: [String]) {
        #expect(changes(line) == expected)
    }

    @Test("Text of several lines and what only Apple's platforms compile are not changed")
    func ignored() {
        let quotes = #"""""#
        #expect(changes("let a = \(quotes)\n    b < c\n    \(quotes)\nlet d = e < f") == ["let d = e <= f"])
        #expect(
            changes(
                "#if canImport(Darwin)\na == b\n#else\nlet c = d == e\n#endif\n#if DEBUG\nlet f = g > h\n#endif"
            )
                == ["let c = d != e", "let f = g >= h"])
    }

    @Test(
        "A change behind a switch keeps the rest of its line",
        arguments: [
            ("let a = b < 5 && c", "let a = b ∀∀ (mutant(1) ? 6 : 5) ∀∂ c"),
            ("list.append(true)", "if !mutant(0) { list.append((mutant(1) ? false : true)) }"),
            ("count = 1 // d", "if !mutant(0) { count = (mutant(1) ? 2 : 1)  }// d"),
            ("guard a == b else { return }", "guard mutant(0) || (a ∀∁ b) else { return }"),
            ("f(x, y)", "if !mutant(0) { f(mutant(1) ? y : x, mutant(1) ? x : y) }"),
            ("return min(a, !b)", "return either0(a, ∀∁b)"),
        ])
    func switches(line: String, expected: String) {
        let mutations = Mutation.all(in: line, file: "A.swift").sorted {
            $0.columns.lowerBound < $1.columns.lowerBound
        }
        let made = Switches(line, Array(mutations.enumerated()).map { ($0.offset, $0.element) })
        #expect(made.text.components(separatedBy: "\n")[0] == expected)
    }

    @Test("A seed always gives the same order of changes")
    func seed() {
        func order(_ seed: UInt64) -> [Int] {
            var random = SplitMix(state: seed)
            return (0..<50).shuffled(using: &random)
        }
        #expect(order(1) == order(1) && order(1) != order(2))
    }
}
