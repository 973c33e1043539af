import Foundation
import ModuleFacts
import ModuleFixtures
import ModuleKit
import Testing

@testable import ModuleTree

/// Sources that the parser cannot read in reasonable time or on an ordinary stack, and invalid manifests.
@Suite("Damaged sources")
struct HostileSourcesTests {
    @Test(
        "200,000 unclosed brackets cause an error that names the source file or the manifest",
        arguments: ["(", "\"\\(", "{["])
    func unclosedBrackets(text: String) throws {
        let hostile = "import A\nlet a = " + String(repeating: text, count: 200_000)
        for path in ["Sources/Kit/Kit.swift", "Package.swift"] {
            let tree = try TemporaryTree([
                "Kit/Package.swift": SmallTree.manifest("Kit"), "Kit/Sources/Kit/Kit.swift": "",
            ])
            try tree.write(
                "Kit/\(path)", path == "Package.swift" ? hostile : "struct A {}\n\(hostile)\nimport B")
            let error = #expect(throws: Diagnostic.self) { try TreeReader(root: tree.root).read() }
            #expect(error?.place.description.contains("Kit/\(path)") == true)
        }
    }

    @Test(
        "Nesting that swift-syntax parses too slowly causes an error that names the file",
        arguments: [("[", "]", 20), ("#if A\n", "\n#endif", 2_000), ("\"\\(", ")\"", 100_000)])
    func nested(open: String, close: String, count: Int) throws {
        let text = String(repeating: open, count: count) + "a" + String(repeating: close, count: count)
        let error = #expect(throws: Diagnostic.self) {
            try SourceScanner.facts(of: Array(text.utf8), in: "A.swift", scope: .code)
        }
        #expect(error?.place.description == "A.swift")
    }

    @Test(
        "Thousands of chained calls, keywords or types do not overflow the stack",
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

    @Test("The error for an invalid manifest names its package")
    func unreadable() throws {
        let tree = try SmallTree.make()
        try tree.write("Packages/Business/Ride/Package.swift", "let package = Package(")
        let error = #expect(throws: Diagnostic.self) { try TreeReader(root: tree.root).read() }
        #expect("\(try #require(error))".contains("Packages/Business/Ride"))
    }

    @Test("Swift files in a DocC catalog are not sources")
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
