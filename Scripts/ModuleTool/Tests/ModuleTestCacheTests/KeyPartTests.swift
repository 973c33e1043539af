import Foundation
import ModuleFixtures
import Testing

@Suite("Parts of a test target's key")
struct KeyPartTests {
    @Test("Targets with the same inputs have different keys")
    func sameInputs() throws {
        let manifest = TestTree.root.replacing(
            "path: \"Apps/PlainTests\"", with: "path: \"Apps/Both\", sources: [\"A\"]"
        ).replacing("path: \"Apps/ReadsTests\"", with: "path: \"Apps/Both\", sources: [\"B\"]")
        let tree = try TestTree([
            "Package.swift": manifest, "Apps/Both/A/A.swift": "import Testing\n",
            "Apps/Both/B/B.swift": "import Testing\n", ".modules.yml": "layers: []\n",
        ])
        let keys = try tree.keys()
        #expect(keys["PlainTests"] != keys["ReadsTests"])
    }

    @Test(
        "A local package that replaces one of a remote package is an input of the tests that link the latter")
    func replacement() throws {
        let manifest = TestTree.root.replacing(
            ".package(path: \"Packages/Gate\"),",
            with: ".package(path: \"Packages/Gate\"), .package(path: \"Vendor/B\"),")
        let tree = try TestTree([
            "Package.swift": manifest, "Vendor/B/Package.swift": SmallTree.manifest("B"),
            "Vendor/B/Sources/B/B.swift": "",
        ])
        let before = try tree.keys()
        try tree.tree.write("Vendor/B/Sources/B/B.swift", "// Edited.")
        let after = try tree.keys()
        #expect(after.filter { before[$0.key] != $0.value }.keys.sorted() == ["KitTests"])
    }

    @Test("A variable by which a manifest sets traits of another package is an input of all tests")
    func traitVariables() throws {
        let tree = try TestTree()
        try tree.tree.edit(
            "Packages/Gate/Package.swift", "let package",
            "let traits: [Package.Dependency.Trait] = Context.environment[\"FAST\"] == nil ? [] : [\"Fast\"] // traits\nlet package"
        )
        let before = try tree.keys()
        tree.machine.environment["FAST"] = "1"
        #expect(try tree.keys().allSatisfy { before[$0.key] != $0.value })
    }

    @Test("may-skip is an input")
    func maySkip() throws {
        let configuration = "layers: []\nreads:\n  - targets: [GateTests]\n    may-skip: true\n"
        let tree = try TestTree([".modules.yml": configuration])
        let before = try tree.keys()
        try tree.tree.write(".modules.yml", configuration.replacing("    may-skip: true\n", with: ""))
        #expect(try tree.keys()["GateTests"] != before["GateTests"])
        #expect(try tree.keys()["RideTests"] == before["RideTests"])
    }

    @Test(
        "A file that an option or a variable of the compiler names counts with its contents",
        arguments: [
            ["--toolset", "FILE"], ["--toolset=FILE"], ["-Xswiftc", "@FILE"], ["-Xlinker", "-Wl,FILE"], [],
        ])
    func namedFiles(_ options: [String]) throws {
        let tree = try TestTree()
        let file = tree.tree.root + "/.build/list.json"
        try tree.tree.write(".build/list.json", "-DA")
        tree.options = options.map { $0.replacing("FILE", with: file) }
        if options.isEmpty { tree.machine.environment["SWIFT_EXEC"] = file }
        let before = try tree.keys()
        #expect(try tree.keys() == before)
        try tree.tree.write(".build/list.json", "-DB")
        #expect(try tree.keys().allSatisfy { before[$0.key] != $0.value })
    }

    @Test("The tests of a target may read the variables that `reads` names, and those of loaders")
    func variables() throws {
        let tree = try TestTree()
        tree.machine.environment["LD_LIBRARY_PATH"] = "/lib"
        #expect(try tree.target("ReadsTests")?.environment == ["MODE": "a", "LD_LIBRARY_PATH": "/lib"])
        #expect(try tree.target("PlainTests")?.environment == ["LD_LIBRARY_PATH": "/lib"])
    }

    @Test("Files behind a link to a hidden folder are inputs, and a link that forms a cycle is none")
    func hiddenFolders() throws {
        let tree = try TestTree()
        let made = "Packages/Ride/.build/made"
        try tree.tree.write(made + "/a.swift", "")
        for (link, target) in [("Sources/Ride/Made", "../../.build/made"), ("Sources/Ride/Loop", "..")] {
            try FileManager.default.createSymbolicLink(
                atPath: tree.tree.root + "/Packages/Ride/" + link, withDestinationPath: target)
        }
        let before = try tree.keys()
        #expect(try tree.target("RideTests")?.alwaysRuns == nil)
        try tree.tree.write(made + "/b.swift", "")
        let after = try tree.keys()
        #expect(after.filter { before[$0.key] != $0.value }.keys.sorted() == ["AppTests", "RideTests"])
    }

    @Test("An empty folder is an input, because a resource that is copied contains it")
    func emptyFolders() throws {
        let tree = try TestTree()
        let before = try tree.keys()
        try FileManager.default.createDirectory(
            atPath: tree.tree.root + "/Packages/Ride/Sources/Ride/Resources/empty",
            withIntermediateDirectories: true)
        #expect(try tree.target("RideTests")?.alwaysRuns == nil)
        let after = try tree.keys()
        #expect(after.filter { before[$0.key] != $0.value }.keys.sorted() == ["AppTests", "RideTests"])
    }

    @Test("Two clones have the same keys")
    func clones() throws {
        #expect(try TestTree().keys() == TestTree().keys())
    }

    @Test("The named environment variables of a manifest are inputs")
    func manifestVariables() throws {
        let manifest =
            "// swift-tools-version: 6.3\nimport PackageDescription\n"
            + "let isFast = Context.environment[\"FAST\"] != nil\n"
            + "let wanted = Context.environment[\"MODULES_TEST_TARGETS\"]\n"
            + "let package = Package(name: \"GateApi\", products: [.library(name: \"GateApi\", targets: [\"GateApi\"])],"
            + "targets: [.target(name: \"GateApi\", swiftSettings: isFast ? [.define(\"FAST\")] : [])])\n"
        let tree = try TestTree(["Packages/GateApi/Package.swift": manifest])
        let before = try tree.keys()
        tree.machine.environment["FAST"] = "1"
        let after = try tree.keys()
        #expect(
            after.filter { before[$0.key] != $0.value }.keys.sorted() == [
                "AppTests", "GateTests", "RideTests",
            ])
        #expect(try tree.target("RideTests")?.alwaysRuns == nil)
        // Which other tests a build contains changes no test.
        tree.machine.environment["MODULES_TEST_TARGETS"] = "RideTests"
        #expect(try tree.keys() == after)
    }
}
