import Foundation
import ModuleFixtures
import ModuleKit
import Testing

@testable import ModuleTree

@Suite("The tree reader, in trees with other layouts")
struct ForeignTreeTests {
    private func edges(_ files: [String: String]) throws -> Set<String> {
        let tree = try TemporaryTree(files)
        let read = try TreeReader(root: tree.root).read()
        return Set(
            PackageGraph(read).edges.map { edge in
                [edge.from, edge.to].map { read.packages[$0].path }.joined(separator: " -> ")
            })
    }

    @Test("Packages with the same name are distinguished by their paths")
    func twins() throws {
        var files: [String: String] = [:]
        for app in ["One", "Two"] {
            files["\(app)/Core/Package.swift"] = SmallTree.manifest("Core")
            files["\(app)/Core/Sources/Core/Core.swift"] = ""
            files["\(app)/Home/Package.swift"] = SmallTree.manifest(
                "Home", packages: ["../Core"], uses: ["Core"])
            files["\(app)/Home/Sources/Home/Home.swift"] = "import Core\n"
        }
        #expect(try edges(files) == ["One/Home -> One/Core", "Two/Home -> Two/Core"])
    }

    @Test("A dependency on an enclosing package is found")
    func around() throws {
        let example = SmallTree.manifest("Example", packages: ["../.."], uses: ["Kit"])
        let files = [
            "Package.swift": SmallTree.manifest("Kit"), "Sources/Kit/Kit.swift": "",
            "Examples/Example/Package.swift": example,
            "Examples/Example/Sources/Example/Example.swift": "import Kit\n",
        ]
        #expect(try edges(files) == ["Examples/Example -> "])
    }

    @Test("A target is imported by its module name, in which invalid characters become underscores")
    func moduleNames() throws {
        #expect(ModuleIdentifier.of("my-kit 2") == "my_kit_2")
        #expect(ModuleIdentifier.of("3D") == "_D")
        #expect(ModuleIdentifier.of("Straße") == "Straße")
        let files = [
            "a/Package.swift": SmallTree.manifest("my-kit"), "a/Sources/my-kit/Kit.swift": "",
            "b/Package.swift": SmallTree.manifest("App", packages: ["../a"]),
            "b/Sources/App/App.swift": "import my_kit\n",
        ]
        #expect(try edges(files) == ["b -> a"])
    }

    @Test("SwiftPM reads a package that has manifests for several Swift versions")
    func versionedManifests() throws {
        let tree = try TemporaryTree([
            "Package.swift": SmallTree.manifest("Kit", uses: ["Old"]).replacing("6.3", with: "5.9"),
            "Sources/Kit/Kit.swift": "",
            "Package@swift-6.0.swift": SmallTree.manifest("Kit").replacing("6.3", with: "6.0"),
        ])
        let read = try TreeReader(root: tree.root).read()
        #expect(read.packages.flatMap(\.targets).flatMap(\.dependencies).isEmpty)
        #expect(read.files.map(\.path) == ["Sources/Kit/Kit.swift"])
    }

    @Test("A manifest that uses environment variables is read again when they have changed")
    func environment() throws {
        let name = "MODULETOOL_TEST_\(UUID().uuidString.prefix(8))"
        let uses = "dependencies: Context.environment[\"\(name)\"] == nil ? [] : [\"Other\"]"
        let tree = try TemporaryTree([
            "Package.swift": SmallTree.manifest("Kit").replacing("dependencies: []", with: uses)
                .replacing("targets: [\n", with: "targets: [\n.target(name: \"Other\"),\n"),
            "Sources/Kit/Kit.swift": "", "Sources/Other/Other.swift": "",
        ])
        func dependencies() throws -> [String] {
            try TreeReader(root: tree.root, caching: .file(tree.root + "/.cache/facts")).read()
                .packages.flatMap(\.targets).flatMap(\.dependencies).map(\.name)
        }
        #expect(try dependencies() == [])
        unsafe setenv(name, "1", 1)
        defer { unsafe unsetenv(name) }
        #expect(try dependencies() == ["Other"])
    }

    @Test("Packages inside a package's Tests folder are ignored, unless a manifest depends on them")
    func fixtures() throws {
        let broken = "this is no manifest\n"
        var files = [
            "Tool/Package.swift": SmallTree.manifest("Tool", tests: []),
            "Tool/Sources/Tool/Tool.swift": "", "Tool/Tests/ToolTests/ToolTests.swift": "",
            "Tool/Tests/Fixtures/Broken/Package.swift": broken,
            "Tool/Tests/Support/Package.swift": SmallTree.manifest("Support"),
            "Tool/Tests/Support/Sources/Support/Support.swift": "",
        ]
        func packages() throws -> [String] {
            let tree = try TemporaryTree(files)
            return try TreeReader(root: tree.root).read().packages.map(\.path)
        }
        #expect(try packages() == ["Tool"])
        files["Tool/Package.swift"] = SmallTree.manifest(
            "Tool", packages: ["Tests/Support"], tests: ["Support"])
        #expect(try packages() == ["Tool", "Tool/Tests/Support"])
        // A Tests folder that is not inside a package holds ordinary packages.
        files = ["Tests/A/Package.swift": SmallTree.manifest("A"), "Tests/A/Sources/A/A.swift": ""]
        #expect(try packages() == ["Tests/A"])
    }

    @Test("Copied resources are not sources", arguments: [true, false])
    func resources(isLiteral: Bool) throws {
        var manifest = SmallTree.manifest("Kit").replacing(
            "dependencies: []", with: "dependencies: [], resources: [.copy(\"Samples\"), .process(\"Texts\")]"
        )
        if !isLiteral { manifest += "package.name = \"Kit\"\n" }
        #expect((try ManifestSource(manifest, in: "/tree").literal != nil) == isLiteral)
        let tree = try TemporaryTree([
            "Package.swift": manifest, "Sources/Kit/Kit.swift": "", "Sources/Kit/Texts/a.txt": "",
            "Sources/Kit/Samples/Sample.swift": "import Other\n",
        ])
        let read = try TreeReader(root: tree.root).read()
        #expect(
            read.packages.flatMap(\.targets).flatMap(\.files).map(\.path) == [
                "Sources/Kit/Kit.swift"
            ])
    }

    @Test("The plugins of a target are dependencies")
    func plugins() throws {
        let kit = SmallTree.manifest("Kit", packages: ["../Maker"]).replacing(
            "dependencies: []", with: "plugins: [.plugin(name: \"Maker\", package: \"Maker\")]")
        let maker = SmallTree.manifest("Maker").replacing(".library(", with: ".plugin(").replacing(
            ".target(name: \"Maker\", dependencies: [])",
            with: ".plugin(name: \"Maker\", capability: .buildTool())")
        let files = [
            "Kit/Package.swift": kit, "Kit/Sources/Kit/Kit.swift": "", "Maker/Package.swift": maker,
            "Maker/Plugins/Maker/Maker.swift": "",
        ]
        #expect(try edges(files) == ["Kit -> Maker"])
    }

    @Test("Symbolic links to folders are followed, unless they lead into a cycle or a hidden folder")
    func links() throws {
        let tree = try TemporaryTree([
            "Tree/Packages/A/Package.swift": SmallTree.manifest("A", packages: ["../B"], uses: ["B"]),
            "Tree/Packages/A/Sources/A/A.swift": "import B\n",
            "Elsewhere/B/Package.swift": SmallTree.manifest("B"), "Elsewhere/B/Sources/B/B.swift": "",
            "Shared/Shared.swift": "import Extra\n", "Tree/.hidden/C/Package.swift": SmallTree.manifest("C"),
            "Tree/One/a.swift": "", "Tree/Two/b.swift": "",
        ])
        for (link, target) in [
            ("Packages/B", "../../Elsewhere/B"), ("Packages/A/Sources/A/Shared", "../../../../../Shared"),
            ("Packages/Loop", ".."), ("Packages/Again", "A"), ("Packages/C", "../.hidden/C"),
            ("One/two", "../Two"),
            ("Two/one", "../One"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: tree.root + "/Tree/" + link, withDestinationPath: target)
        }
        let read = try TreeReader(root: tree.root + "/Tree").read()
        #expect(read.packages.map(\.path) == ["Packages/A", "Packages/B"])
        #expect(PackageGraph(read).edges.map { read.packages[$0.to].path } == ["Packages/B"])
        #expect(
            read.package("A")?.targets.first?.files.map(\.path) == [
                "Packages/A/Sources/A/A.swift", "Packages/A/Sources/A/Shared/Shared.swift",
            ])
        #expect(
            try FileListing(root: tree.root + "/Tree").swiftFiles.filter { !$0.hasPrefix("Packages") } == [
                "One/a.swift", "One/two/b.swift", "Two/b.swift", "Two/one/a.swift",
            ])
    }

    @Test("A listing of a folder has all its files, and links and hidden files only if they are wanted")
    func listings() throws {
        let tree = try TemporaryTree([
            "Kit/.build/a.txt": "", "Kit/.hidden": "", "Kit/App.xcodeproj/b.swift": "",
            "Kit/Kit.docc/c.swift": "", "Kit/d.txt": "", "Other/e.swift": "",
        ])
        for (link, target) in [("Kit/Link", "../Other"), ("Kit/f.swift", "../Other/e.swift")] {
            try FileManager.default.createSymbolicLink(
                atPath: tree.root + "/" + link, withDestinationPath: target)
        }
        let all = try FileListing(root: tree.root, in: "Kit")
        let unread = ["Kit/App.xcodeproj/b.swift", "Kit/Kit.docc/c.swift"]
        #expect(all.files == unread + ["Kit/Link/e.swift", "Kit/d.txt", "Kit/f.swift"])
        #expect(all.swiftFiles == ["Kit/Link/e.swift", "Kit/f.swift"])
        #expect(all.projects == ["Kit/App.xcodeproj"])
        #expect(all.links.map(\.target).sorted() == ["Other", "Other/e.swift"])
        let own = try FileListing(root: tree.root, in: "Kit", followsLinks: false) { $1 == ".build" }
        #expect(own.files == ["Kit/.hidden"] + unread + ["Kit/d.txt"] && own.links.isEmpty)
    }

    @Test("An unreadable source file is an error, and is not treated as an empty file")
    func unreadable() throws {
        let tree = try TemporaryTree([
            "Package.swift": SmallTree.manifest("Kit"), "Sources/Kit/Kit.swift": "", "Elsewhere/a.txt": "",
        ])
        let sources = tree.root + "/Sources/Kit/"
        try FileManager.default.createSymbolicLink(
            atPath: sources + "Gone.swift", withDestinationPath: "nowhere")
        #expect(try TreeReader(root: tree.root).read().files.count == 2)
        // A file that even the root user cannot read.
        #if os(Linux)
        try FileManager.default.createSymbolicLink(
            atPath: sources + "Link.swift", withDestinationPath: "/proc/self/mem")
        #else
        try tree.write("Sources/Kit/Link.swift", "")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: sources + "Link.swift")
        #endif
        let error = #expect(throws: Diagnostic.self) { try TreeReader(root: tree.root).read() }
        #expect(error?.kind == .environment && error?.place.description == "Sources/Kit/Link.swift")
    }
}
