import Foundation
import ModuleFacts
import Testing

@Suite("The code of a Swift file")
struct SourceCodeTests {
    private func isSame(_ old: String?, _ new: String?, in path: String = "Sources/A/A.swift") -> Bool {
        SourceCode.isSame(old.map { Data($0.utf8) }, new.map { Data($0.utf8) }, in: path)
    }

    @Test(
        "Comments, white space and line breaks do not belong to the code",
        arguments: [
            ("let a = 1\n", "/// A number.\nlet a = 1 // one\n"), ("let a = 1\n", "let  a\n    = 1"),
            ("func f() { g() }\n", "func f() {\r\n\tg() /* twice /* nested */ */\r\n}\r\n"),
            ("#if A\nlet a = 1\n#endif\n", "#if A  // why\n    let a = 1\n#endif\n"),
            ("let a = 1; let b = 2", "let a = 1;\nlet b = 2"), ("", "// only a comment\n"),
            ("let s = \"\"\"\n    a\n    \"\"\"\n", "let s = \"\"\"\n  a\n  \"\"\"\n"),
        ])
    func same(_ old: String, _ new: String) {
        #expect(isSame(old, new))
        #expect(isSame(new, old))
    }

    @Test(
        "A changed word, value, operator or order changes the code, and so does a line break between statements",
        arguments: [
            ("let a = 1", "let a = 2"), ("let a = 1", "var a = 1"), ("let s = \"a b\"", "let s = \"a  b\""),
            ("let s = \"// a\"", "let s = \"// b\""), ("f()\ng()", "g()\nf()"),
            ("let a = b - c", "let a = b -c"),
            ("let a = b\n(c).d()", "let a = b(c).d()"), ("f { a }", "f\n{ a }()"), ("", "f()"),
            ("#if A\nf()\n#endif", "#if B\nf()\n#endif"), ("func f() {}", "@discardableResult func f() {}"),
            ("f([a], b)", "f([a, b])"),
        ])
    func different(_ old: String, _ new: String) {
        #expect(!isSame(old, new))
        #expect(!isSame(new, old))
    }

    @Test("Other files are compared byte by byte, and a file without code is the same as no file")
    func files() {
        #expect(isSame(nil, "// nothing\n") && isSame("\n", nil))
        #expect(!isSame(nil, "let a = 1\n"))
        let resource = "Sources/A/Resources/a.json"
        #expect(isSame("{}", "{}", in: resource) && !isSame("{}", "{ }", in: resource))
        #expect(!isSame(nil, "", in: resource))
        #expect(isSame("# A", nil, in: "Sources/A/A.docc/A.md"))
        // Too deeply nested to be parsed.
        let deep = String(repeating: "(", count: 300)
        #expect(isSame(deep, deep) && !isSame(deep, deep + " "))
    }
}
