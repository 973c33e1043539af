import Foundation
import ModuleFixtures
import Testing

@testable import ModuleTree

@Suite("Xcode projects")
struct XcodeProjectTests {
    private func read(_ files: [String: String]) throws -> Tree {
        let tree = try TemporaryTree(files)
        return try TreeReader(root: tree.root).read()
    }

    @Test("A project's targets compile the listed files and the files in synchronised folders")
    func files() throws {
        let tree = try read(SmallXcode.files)
        let project = try #require(tree.package(in: "iOS/Shop.xcodeproj"))
        #expect(project.isProject && project.name == "Shop.xcodeproj")
        #expect(project.manifestPath == "iOS/Shop.xcodeproj/project.pbxproj")
        let files = project.targets.map { target in
            "\(target.name) \(target.kind): " + target.files.map(\.path).joined(separator: " ")
        }
        #expect(
            files == [
                "Shop executable: iOS/App/App.swift iOS/App/Parts/Detail.swift iOS/Shared/Both.swift",
                "Widget executable: iOS/Design/Old.swift iOS/Shared/Both.swift iOS/Widget/Widget.swift",
                "Design regular: iOS/Design/Design.swift", "ShopTests test: iOS/Tests/ShopTests.swift",
            ])
        #expect(project.targets[0].paths.contains("iOS/App/de.lproj/Texts.strings"))
        #expect(project.targets[0].module == "TheShop")
        #expect(project.targets[0].declaration.position == Position(line: 47, column: 3))
    }

    @Test("The targets of projects depend on packages, on targets of other projects, and on each other")
    func dependencies() throws {
        let tree = try read(SmallXcode.files)
        let graph = TargetGraph(tree)
        let edges = graph.edges.map { edge in
            "\(graph.nodes[edge.from].target.name) -> \(graph.nodes[edge.to].target.name)"
        }
        let shop = ["Kit", "Cart", "Models", "Widget", "Design"].map { "Shop -> " + $0 }
        #expect(Set(edges).isSuperset(of: shop + ["Widget -> Models", "ShopTests -> Shop"]))
        #expect(edges.count == 9)
        // The test imports the app's module, whose name differs from the target's name.
        let test = try #require(graph.edges.first { graph.nodes[$0.from].target.name == "ShopTests" })
        #expect(test.imports.map(\.description) == ["iOS/Tests/ShopTests.swift:1:1"])
    }

    @Test("If a project does not name a product's package, the nearest package with that product is used")
    func nearest() throws {
        var files: [String: String] = [:]
        for app in ["One", "Two"] {
            files["\(app)/App.xcodeproj/project.pbxproj"] = """
                { rootObject = P; objects = { P = {targets = ( T, ); }; D = {productName = Core; };
                T = {isa = PBXNativeTarget; name = App; packageProductDependencies = ( D, ); }; }; }
                """
            files["\(app)/Core/Package.swift"] = SmallTree.manifest("Core")
            files["\(app)/Core/Sources/Core/Core.swift"] = ""
        }
        let tree = try read(files)
        let edges = PackageGraph(tree).edges.map { [$0.from, $0.to].map { tree.packages[$0].path } }
        #expect(edges == ["One", "Two"].map { ["\($0)/App.xcodeproj", "\($0)/Core"] })
    }

    @Test("A project can use two projects with the same name")
    func twins() throws {
        var files = [
            "App.xcodeproj/project.pbxproj": """
            { rootObject = P; objects = { P = {mainGroup = G; targets = ( T, ); }; G = {children = ( R1, R2, ); };
            R1 = {path = One/Kit.xcodeproj; }; R2 = {path = Two/Kit.xcodeproj; };
            C1 = {containerPortal = R1; remoteInfo = One; }; C2 = {containerPortal = R2; remoteInfo = Two; };
            U1 = {targetProxy = C1; }; U2 = {targetProxy = C2; };
            T = {isa = PBXNativeTarget; name = App; dependencies = ( U1, U2, ); }; }; }
            """
        ]
        for name in ["One", "Two"] {
            files["\(name)/Kit.xcodeproj/project.pbxproj"] = """
                { rootObject = P; objects = { P = {targets = ( T, ); };
                T = {isa = PBXNativeTarget; name = \(name); }; }; }
                """
        }
        let graph = TargetGraph(try read(files))
        #expect(graph.edges.map { graph.nodes[$0.to].target.name } == ["One", "Two"])
    }

    @Test("Projects in the Tests folder of a package are ignored as test data")
    func fixtures() throws {
        let files = [
            "Package.swift": SmallTree.manifest("Tool"), "Sources/Tool/Tool.swift": "",
            "Tests/Samples/App.xcodeproj/project.pbxproj": "broken",
        ]
        #expect(try read(files).packages.map(\.path) == [""])
    }

    @Test(
        "An unreadable project causes an error that names its file and the reason",
        arguments: [
            ("", "empty"), ("{ objects = {", "line 1"), ("{\n<<<<<<< HEAD\n}\n", "line 2"),
            ("{ a = 1; }", "rootObject"),
            ("{ rootObject = P; objects = ( ); }", "objects"),
            ("{ rootObject = P; objects = { P = {targets = x; }; }; }", "objects.P.targets"),
            (String(repeating: "(", count: 600), "line 1"),
        ])
    func broken(text: String, reason: String) throws {
        var files = SmallXcode.files
        files["iOS/Shop.xcodeproj/project.pbxproj"] = text
        let error = #expect(throws: ToolError.self) { try read(files) }
        #expect(error?.place == "iOS/Shop.xcodeproj/project.pbxproj" && error?.kind == .configuration)
        #expect(error?.what.contains(reason) ?? false, "\(error?.what ?? "")")
    }

    @Test("A damaged project is either read or rejected, and never crashes the tool")
    func damaged() throws {
        let good = Array(SmallXcode.project.utf8)
        let parts = [
            "{", "}", "(", ")", ";", "=", "\"", "\\", "/*", "<", "T01", "G01", "R03", "\0", "\u{FF}",
        ]
        var random = SeededGenerator(state: 19)
        var counts = (read: 0, refused: 0)
        for _ in 0..<3000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, place + Int.random(in: 1...20, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.replaceSubrange(place..<end, with: bytes[place..<end].reversed())
                case 1: bytes.removeSubrange(place..<end)
                case 2: bytes.insert(contentsOf: bytes[place..<end], at: bytes.count - place)
                default:
                    let part = parts.randomElement(using: &random) ?? ""
                    bytes.replaceSubrange(place..<min(end, place + 3), with: part.utf8)
                }
            }
            do throws(ToolError) {
                var project = try XcodeProject(bytes, at: "A/Shop.xcodeproj", root: "/tree")
                project.resolve(among: [], root: "/tree")
                counts.read += 1
            } catch {
                #expect(error.place == "A/Shop.xcodeproj/project.pbxproj")
                counts.refused += 1
            }
        }
        #expect(counts.read > 100 && counts.refused > 100)
    }
}

/// A random number generator that returns the same numbers in every run.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
