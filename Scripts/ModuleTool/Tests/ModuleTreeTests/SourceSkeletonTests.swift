import Foundation
import ModuleFixtures
import Testing

@testable import ModuleTree

@Suite("Source skeletons")
struct SourceSkeletonTests {
    @Test(
        "Source skeletons of this repository's files give the same facts as the whole files",
        arguments: SourceScanner.Scope.allCases)
    func ownFiles(_ scope: SourceScanner.Scope) throws {
        let root = HouseFiles.root.path
        // Covers only some folders, because parsing whole files is slow.
        let parts = ["Packages/Business/", "Packages/Core/"]
        let paths = try FileListing(root: root).swiftFiles.filter { path in
            parts.contains { path.hasPrefix($0) }
        }
        var whole = 0
        for path in paths {
            let bytes = try #require(FileBytes.read(root + "/" + path))
            #expect(
                SourceScanner.facts(of: bytes, scope: scope)
                    == SourceScanner.facts(ofWhole: bytes, scope: scope),
                "\(path)")
            if SourceSkeleton(of: bytes, scope: scope) == nil { whole += 1 }
        }
        #expect(paths.count > 50)
        #expect(whole * 10 < paths.count, "\(whole) of \(paths.count) files are parsed whole")
    }

    @Test(
        "Source skeletons of misleading files give the same facts as the whole files",
        arguments: [
            "let a = \"{\"; struct B { func c() { print(\"}\") } }; struct D {}",
            "struct A { func b() { \"\\(c { $0 })\" } }\npublic struct D {}",
            "struct A { func b() { x(\"\\(center.api(type: C.self) ?? \"}\")\") } }",
            "let a = #\"\\#(b)\"\\(\"#; import C; struct D { func e() { #\"}\"# } }",
            "let a = \"\"\"\n  { \\\"\"\" \\(\n  b { \"\"\"\n  }\n  \"\"\" })\n  \"\"\"\nimport C",
            "let a = #\"\"\"#; import B",
            "struct A { func b() { let c = /}/ } }\nimport D\npublic struct E {}",
            "struct A { func b() { let c = #/ } \" /# } }\nimport D",
            "let a = b / c; struct D { func e() { f / g } }; import H",
            "/* { /* */ } import A */ import B /* struct C { */ struct D { }",
            "// import A {\nimport B // }\n/// {\nstruct C {} // {",
            "#!/usr/bin/env swift {\nimport A",
            "struct `class` { func `import`() {} }; import `B`; struct `a b { c` {}",
            "public extension A { func b() { c() } ; var d: Int { 1 } }",
            "public extension A { struct B { public func c() {} ; func d() { e() } } }",
            "struct RideModule { var version = \"1.2.0\" { didSet { print(1) } } }",
            "struct RideModule { let version: String = \"1.2.0\"; func a() { b() } }",
            "struct A { func b() { struct C {}; center.registerApi(type: P.self) { Q() } } }",
            "func a() { struct B {} ; api(type: { if c { d() } ; return P.self }()) }",
            "struct A { #if B\n func c() { import D }\n #endif\n func e() { f() } }",
            "struct A {\n#if B\nfunc c() { d() }\n#else\npublic func c() {}\n#endif\n}\nimport E",
            "switch a { case 1: struct B {}; default: api(type: C.self) }\nstruct D {}",
            "a.api(type: X // }\n .self)",
            "struct A { func b() { RideModule() } ; func c() { d() } }",
            "struct A { var b: Int { get { 1 } set { c() } } ; public var d: Int { 2 } }\nenum E { case f }",
            "struct A { func b() { c(\"\r\n\") } }\r\n// d\rimport E\r\nimport F",
            "struct A {", "}", "let a = \"", "/*", "let a = \"\\(", "import", "import\n\n\nA", "'", "<#a#>",
            "import struct\n A.B\nfunc c() {}", "@testable\nimport A\n", "import A /* b\n c */ import D",
        ], SourceScanner.Scope.allCases)
    func lookalikes(_ text: String, _ scope: SourceScanner.Scope) {
        let bytes = Array(text.utf8)
        #expect(
            SourceScanner.facts(of: bytes, scope: scope) == SourceScanner.facts(ofWhole: bytes, scope: scope))
    }

    @Test("A source skeleton leaves out comments and blocks without facts, and nothing else")
    func leavesOut() throws {
        let text = """
            // Copyright.
            import A  // why

            /// A type.
            public struct B {
                // A member.
                public func c() { d { e() } }
                func f() { center.api(type: G.self) }
            }
            """
        func left(_ scope: SourceScanner.Scope) throws -> String {
            let skeleton = try #require(SourceSkeleton(of: Array(text.utf8), scope: scope))
            return String(decoding: skeleton.bytes, as: UTF8.self)
        }
        #expect(try left(.imports) == "import A  ")
        #expect(
            try left(.all)
                == "import A  \n\npublic struct B {\n    public func c() {}\n"
                + "    func f() { center.api(type: G.self) }\n}")
        #expect(try left(.names) == left(.all))
        #expect(try left(.api).contains("d { e() }"))
    }
}
