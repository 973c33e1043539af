import Foundation
import ModuleFixtures
import ModuleKit
import Testing

@testable import ModuleFacts

@Suite("Source scanner")
struct SourceScannerTests {
    private func facts(_ text: String, scope: SourceScanner.Scope = .code) throws -> SourceFacts {
        try SourceScanner.facts(of: Array(text.utf8), in: "A.swift", scope: scope)
    }

    @Test(
        "Every form of an import declaration is recognized, but not in comments and string literals",
        arguments: [
            "import A", "@testable import A", "private import A", "package import A", "import struct A.B",
            "@preconcurrency @testable import A", "import func A.b", "import A.Sub", "import `A`",
            "  import   A  ", "import A // import B", "import A; ", "// import B\nimport A",
            "/* import B /* import C */\nimport D */ import A",
            "import A\nlet x = \"\"\"\n  import B\n  \"\"\"", "let x = #\"import B\"#; import A",
        ])
    func spellings(_ line: String) throws {
        #expect(try facts(line).imports.map(\.module) == ["A"])
    }

    @Test(
        "Scanning for imports alone finds the same imports as a full scan",
        arguments: [
            "import A\nlet important = 1\nstruct B { func c() {} }", "/* import A",
            "let a = \"\"\"\n  import B\n  ",
            "let a = \"\"\"\n  import B\n  \"\"\"\nimport C\nfunc d() { print(1) }",
            "#if A\nimport B\n#else\nimport C\n#endif",
            "import\n    A\n", "import\n\n\nA", "import struct\n A.B\nfunc c() {}", "import /* import */ A",
            "import /* a\nb\nc */ A\n", "import // a\n// b\n// c\n    A\nlet b = 1",
            "import struct /* a\n\n\n */ A.B",
            "import A\nlet b = \"\"\"\n  import B\n  c\n  d\n  \"\"\"\n",
            "struct A { func b() { /* import */ } }", "", "// nothing", "let x = #\"import\"#; import A",
            "struct A {\n}\n@testable import B\n" + String(repeating: "// more\n", count: 400)
                + "struct C {}",
        ])
    func importsAlone(_ text: String) throws {
        let alone = try facts(text, scope: .imports)
        #expect(try facts(text).imports == alone.imports)
        #expect(alone.calls.isEmpty && alone.declarations.isEmpty)
    }

    @Test(
        "Scanning without the blocks that contain no facts finds the same facts in this repository's sources")
    func outlines() throws {
        var shortened = 0
        for folder in ["Packages/Base", "Scripts/ModuleTool/Sources"] {
            let files = try #require(
                FileManager.default.enumerator(
                    at: HouseFiles.root.appending(path: folder), includingPropertiesForKeys: nil,
                    options: .skipsHiddenFiles))
            for case let file as URL in files where file.pathExtension == "swift" {
                let (path, bytes) = (file.lastPathComponent, Array(try Data(contentsOf: file)))
                let facts = try SourceScanner.facts(of: bytes, in: path, scope: .code)
                var whole = try SourceScanner.facts(of: bytes, in: path, scope: .api)
                (whole.forbidden, whole.index) = ([], [])
                whole.declarations.removeAll { $0.keyword == "extension" }
                #expect(facts == whole, "\(path)")
                if SourceScanner.outline(of: bytes) != bytes { shortened += 1 }
            }
        }
        #expect(shortened > 50)
    }

    @Test(
        "An outline keeps what may be a fact, and all of a file that it cannot read",
        arguments: [
            ("struct A { let b = 1 }", "struct A { }"),
            ("struct A { func b() { if c { d() } } }\nfunc e() { f }", "struct A { }\nfunc e() { }"),
            ("struct A { public func b() { c } }", "struct A { public func b() { } }"),
            ("struct A { @c func b() { c } }", "struct A { @c func b() { } }"),
            ("public extension A { func b() { c } }", "public extension A { func b() { } }"),
            ("struct A { struct B { let c = 1 } }", "struct A { struct B { } }"),
            ("func a() { typealias B = C; d { e } }", "func a() { typealias B = C; d { } }"),
            ("let a = \"}\\(b(\"{\"))\"; func c() { /* } */ d }", "let a = \"}\\(b(\"{\"))\"; func c() { }"),
            ("let a = \"\"\"\n}\n\"\"\"; func c() { #\"\"}\"# }", "let a = \"\"\"\n}\n\"\"\"; func c() { }"),
            ("func a() { b / c } // {", "func a() { } // {"),
            ("func a() { b(/\"}/) }", nil), ("func a() { #/}/# }", nil), ("func a() { \"b\n }", nil),
            ("}", nil),
            ("func a() { center.api }", nil), ("func a() { RideModule() }", nil), ("func a() { b", nil),
        ])
    func outline(_ text: String, _ expected: String?) {
        let outline = SourceScanner.outline(of: Array(text.utf8))
        #expect(outline.count == text.utf8.count)
        #expect(String(decoding: outline, as: UTF8.self).replacing(/[ ]+/, with: " ") == expected ?? text)
    }

    @Test("Calls inside #if have the conditions of their branches")
    func conditions() throws {
        let text = """
            #if Ride && !os(Linux)
            let a = center.api(type: A.self)
            #elseif DEBUG || Journey
            let a = center.api(type: B.self)
            #else
            let a = center.api(type: C.self)
            #endif
            """
        let calls = try facts(text).calls
        func active(_ on: Set<String>) -> [String?] { calls.filter { $0.condition.holds(on) }.map(\.type) }
        #expect(active(["Ride"]) == ["A"])
        #expect(active(["Ride", "os(Linux)"]) == ["C"])
        #expect(active(["Journey"]) == ["B"])
        #expect(active([]) == ["C"])
    }

    @Test("Calls to registerApi, api and requireApi are found, with their types if the types are literals")
    func calls() throws {
        let text = """
            func f(c: ApiCenter, t: Any.Type) {
                c.registerApi(type: XApiProtocol.self) { X() }
                _ = c.api(type: M.XApiProtocol.self)
                _ = try? c
                    .requireApi(
                        type: (any XApiProtocol).self)
                _ = c.api(type: t)
                _ = c.api(type: Box<M.X>.self)
                _ = c.api(type: [X].self)
                _ = c.api(other: 1)
                use { $0.api(type: YApiProtocol.self) }
                // c.api(type: ZApiProtocol.self)
                _ = RideModule()
            }
            func g<T>(c: ApiCenter) { _ = c.api(type: T.self); _ = c.api(type: Box<T>.self) }
            """
        let calls = try facts(text).calls
        #expect(
            calls.map { "\($0.kind) \($0.type ?? "-")" } == [
                "registerApi XApiProtocol", "api M.XApiProtocol", "requireApi XApiProtocol", "api -",
                "api Box<M.X>", "api -", "api YApiProtocol", "module RideModule", "api -", "api -",
            ])
        #expect(calls[0].position == Position(line: 2, column: 7))
        let imports = try facts("import A; import B\n").imports
        #expect(imports.map(\.position) == [Position(), Position(line: 1, column: 11)])
    }

    @Test("Public declarations are recognized, including those in extensions")
    func declarations() throws {
        let text = """
            public struct RideModule { public let version = "1.2.3"; let hidden = 1 }
            struct Inner { public var x = 1 }
            extension String { public func shout() {} }
            public extension Int { var half: Int { self / 2 } }
            func free() {}
            """
        let declarations = try facts(text).declarations
        #expect(declarations.first { $0.name == "version" }?.literal == "1.2.3")
        #expect(
            declarations.filter(\.isPublic).map(\.name) == ["RideModule", "version", "x", "shout", "half"])
        #expect(declarations.first { $0.name == "shout" }?.parent == "String")
    }

    /// What is reported, and the code.
    private static let forbiddenCode = #"""
        class A | public final class A {}
        actor A | actor A {}
        the value of shared | public enum A { public static let shared = B() }
        shared | public let shared = B()
        count | public var count = 0
        count | public enum A { static var count: Int = 0 }
        a() | public func a() { print(1); print(2) }
        init | struct A { init() { self.b = 1; print(2) } }
        the value of b | struct A { let b: [Int] = { for c in d { e(c) } }() }
        b is mutable state | struct A { lazy var b = 1 }
        the value of b | struct A { let b: String = "\(c())" }
        the value of b | func a(b: Int = c(1)) {}
        the value of b | struct A { init(b: Int = c { 1 }) {} }
        the value of b | struct A { subscript(b: Int = c { 1 }) -> Int { 1 } }
        hash() | struct A { func hash(_ b: Int) { c += 1; print(2) } }
        hash() | struct A { func hash(into h: inout Hasher) { h.combine(1); print(2) } }
        encode() | struct A { func encode(to e: any Encoder) throws { try data.write(to: url); print(1) } }
        <() | struct A { static func < (a: A, b: A) -> Bool { counter += 1; return true } }
        a() | func a(b: String) throws { try FileManager.default.removeItem(atPath: b) }
        a() | func a(b: String) -> Bool { FileManager.default.fileExists(atPath: b) }
        a() | func a() { print(1) }
        a() | func a(b: Data) throws { try b.write(to: c) }
        a() | func a() { "b".write(to: c) }
        a() | func a() { Thread.sleep(1) }
        a() | struct A { func a() { self.b.write(to: c) } }
        init | struct A { init(b: Int) { NotificationCenter.default.post(b) } }
        init | struct A { init(b: Int) { self.b = b; post(b) } }
        init | struct A { init(b: Int) { self.b = FileManager.default.size(b) } }
        b in an Api package uses c, d | struct A { var b: Int { get { 1 } set { c.write(to: d) } } }
        b has no type annotation | public struct A { public static let b = Array("c") }
        b has no type annotation | public struct A { public let b = [1, 2] }
        b has no type annotation | public extension A { static let b = [1: 2] }
        """#.split(separator: "\n").map { $0.split(separator: " | ").map(String.init) }

    /// What is forbidden in a file that is the whole Api.
    private func unknown(_ text: String) throws -> [SourceFacts.ForbiddenDeclaration] {
        let facts = try facts(text, scope: .api)
        return facts.forbidden.filter { $0.names.isEmpty || !$0.names.isSubset(of: facts.declaredNames) }
    }

    @Test("Code that an Api package must not contain is reported", arguments: forbiddenCode)
    func forbidden(_ row: [String]) throws {
        let found = try unknown(row[1])
        #expect(found.count == 1 && found.first?.what.contains(row[0]) == true)
    }

    @Test(
        "Protocols and plain values are allowed in an Api package",
        arguments: [
            "public protocol P { func a(); static var b: Int { get } }",
            "public struct A { public let b: Int; public init(b: Int) { self.b = b } }",
            "public struct A { public init(b: Int, c: Int) { (self.b, self.c) = (b, c) } }",
            "public enum R { public static let main = \"ride_vc\" }",
            "public enum R { public static let a = -1, b = 1.5, c: Int, d = true }",
            "public struct A { let a = [1]; static let b = [2]; public let c, d: Int }",
            "extension Notification.Name { public static let a: Self = Notification.Name(\"a\") }",
            "public enum E: Error { case a; public var description: String { switch self { case .a: \"a\" } } }",
            "extension P { public func all() -> [Int] { some(limit: 0) }; func some(limit: Int) -> [Int] { [] } }",
            "extension P { public func old() throws { throw E.a } }; enum E: Error { case a }",
            "extension P { public func a() -> [Int] { [1].map { $0 }.filter { b in b > 0 } } }",
            "struct A { var b: Int { var c = 1; c += 1; return c } }", "struct A { let b: Date = Date() }",
            "func a(b c: Int = { 1 }()) {}",
            "func a(_ b: [Int]) { for c in b { let d = c; if d > 1 { continue } } }",
            "protocol P { func some(limit: Int) -> Int }; extension P { func a() async { await self.b(1) } }",
            "func a() { b(1) }; func b(_ c: Int = -1) {}", "func a() -> Duration { .seconds(1) }",
            "struct A { init(b: Int) { self.init(c: b) }; init(c: Int = 2) { (self.c, self.d) = (c, []) } }",
            "struct A { static func < (a: A, b: A) -> Bool { if a.b != b.b { return a.b < b.b }; return a.c < b.c } }",
            "func a(b: B) -> String { switch b { case C.d(let e): e; case .f: \"g\".uppercased() } }; enum C { case d(Int) }",
            "struct A { let b: [Int] = [], c: [String: Int] = [:]; var d: Int? = nil, e: Duration = .seconds(1) }",
            "let a: Int = 1; func encode(to e: any Encoder) throws { var c = e.singleValueContainer(); try c.encode(a) }",
            "struct A { func hash(into h: inout Hasher) { h.combine(1); h.combine(2) } }",
        ])
    func plainValues(_ text: String) throws {
        #expect(try unknown(text) == [])
    }
}
