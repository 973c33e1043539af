import Foundation
import ModuleFixtures
import Testing

@testable import ModuleTree

/// Damaged copies of this repository's files. Scanning them must not trap, because a trap ends the tool.
@Suite("Damaged sources")
struct HostileSourcesTests {
    private static let paths: [String] = {
        let listing = try? FileListing(root: HouseFiles.root.path)
        return (listing?.swiftFiles ?? []).filter { !$0.hasPrefix("Packages/Base/APIService") }
    }()

    /// Damages a source in one to four places: with stray brackets and quotes, deletions, repetitions or
    /// truncation.
    static func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 0...40, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                let pieces = [
                    "{", "}", "(", ")", "[", "]", "\"", "\"\"\"", "#\"", "/*", "*/", "//", "\\(", "`",
                    "\u{0}", "#if",
                ]
                let piece = pieces[Int.random(in: pieces.indices, using: &random)]
                bytes.insert(contentsOf: piece.utf8, at: start)
            case 1: bytes.removeSubrange(start..<end)
            case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: start)
            default: bytes.removeSubrange(start...)
            }
        }
        return bytes
    }

    @Test(
        "Scanning a damaged Swift file never traps, in any scope",
        arguments: 0..<20)
    func sources(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<5 {
            let path = try #require(Self.paths.randomElement(using: &random))
            let whole = try #require(FileBytes.read(HouseFiles.root.path + "/" + path))
            let bytes = Self.damaged(whole, &random)
            for scope in SourceScanner.Scope.allCases {
                _ = try SourceScanner.facts(of: bytes, in: path, scope: scope)
            }
        }
    }

    @Test(
        "A stray closing bracket does not crash the scanner",
        arguments: ["{ ) }", "{ ] }", "( } )", "( ] )", "[ ) ]", "[ } ]", ")", "]", "}"])
    func strayBracket(text: String) throws {
        for scope in SourceScanner.Scope.allCases {
            let bytes = Array("import A\nstruct B { func c() \(text) }".utf8)
            let facts = try SourceScanner.facts(of: bytes, in: "B.swift", scope: scope)
            #expect(facts.imports.map(\.module) == ["A"])
        }
    }

    @Test(
        "200,000 unclosed brackets are an error that names the file, or their manifest",
        arguments: ["(", "[", "{", "f(", "\"\\(", "{["])
    func unclosedBrackets(text: String) throws {
        let hostile = "import A\nlet a = " + String(repeating: text, count: 200_000)
        for path in ["Sources/Kit/Kit.swift", "Package.swift"] {
            let tree = try TemporaryTree([
                "Kit/Package.swift": SmallTree.manifest("Kit"), "Kit/Sources/Kit/Kit.swift": "",
            ])
            try tree.write(
                "Kit/\(path)", path == "Package.swift" ? hostile : "struct A {}\n\(hostile)\nimport B")
            let error = #expect(throws: TreeError.self) { try TreeReader(root: tree.root).read() }
            #expect(error?.subject.contains("Kit/\(path)") == true)
        }
    }

    @Test(
        "Nesting that swift-syntax parses too slowly is an error that names the file",
        arguments: [("[", "]", 20), ("#if A\n", "\n#endif", 2_000)])
    func nested(open: String, close: String, count: Int) throws {
        let text = String(repeating: open, count: count) + "a" + String(repeating: close, count: count)
        let error = #expect(throws: TreeError.self) {
            try SourceScanner.facts(of: Array(text.utf8), in: "A.swift", scope: .code)
        }
        #expect(error?.subject == "A.swift")
    }

    @Test(
        "Chains of thousands of links do not overflow the stack",
        arguments: [
            ("", ".b", 20_000), ("", ".b()", 10_000), ("try ", "", 10_000), ("await ", "", 10_000),
            ("A -> ", "", 3_000), ("if a {} else ", " {}", 3_000),
        ])
    func chains(before: String, after: String, count: Int) throws {
        let text =
            String(repeating: before, count: count) + "a" + String(repeating: after, count: count)
        for scope in SourceScanner.Scope.allCases {
            let facts = try SourceScanner.facts(
                of: Array("import A\nlet x = \(text)".utf8), in: "", scope: scope)
            #expect(facts.imports.count == 1)
        }
        _ = try ApiSurface(module: "A", ["A.swift": Data("public typealias X = \(text)".utf8)])
    }

    @Test(
        "A damaged manifest of literals and plain lists is either read or left to SwiftPM",
        arguments: 0..<20)
    func manifests(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let paths = try FileListing(root: HouseFiles.root.path).packages.map {
            $0.isEmpty ? "Package.swift" : $0 + "/Package.swift"
        }
        for _ in 0..<5 {
            let path = try #require(paths.randomElement(using: &random))
            let whole = try #require(FileBytes.read(HouseFiles.root.path + "/" + path))
            _ = try LiteralManifest.read(Self.damaged(whole, &random), in: "/tree")
        }
    }

    @Test(
        "The error for an invalid manifest names its package",
        arguments: ["let package = Package(", "}", ""])
    func unreadable(manifest: String) throws {
        let tree = try SmallTree.make()
        try tree.write("Packages/Business/Ride/Package.swift", manifest)
        let error = #expect(throws: TreeError.self) { try TreeReader(root: tree.root).read() }
        #expect("\(try #require(error))".contains("Packages/Business/Ride"))
    }

    @Test("Swift files in a DocC catalogue do not count as sources")
    func catalogues() throws {
        let tree = try SmallTree.make()
        let catalogue = "Packages/Business/Ride/Sources/Ride/Ride.docc"
        try tree.write("\(catalogue)/Samples/Sample.swift", "import Journey\n")
        try tree.write("\(catalogue)/Samples/Package.swift", "let nothing = 1\n")
        let read = try TreeReader(root: tree.root).read()
        #expect(!read.files.contains { $0.path.contains(".docc") })
        #expect(!read.packages.contains { "\($0)".contains(".docc") })
    }
}
