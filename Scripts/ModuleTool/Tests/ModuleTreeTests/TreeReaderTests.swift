import Foundation
import ModuleFacts
import ModuleFixtures
import ModuleKit
import Testing

@testable import ModuleTree

@Suite("Tree reader")
struct TreeReaderTests {
    @Test("The tree reader finds packages with their layers, roles and files")
    func reads() throws {
        let small = try SmallTree.make()
        let read = try TreeReader(root: small.root).read()
        #expect(read.package("Ride")?.role == .imp)
        #expect(read.package("rideapi")?.layer?.name == "Api")
        #expect(read.package("RideActions")?.role == .facade)
        #expect(read.package("ErrorCode")?.role == .plain)
        #expect(read.rootPackage?.role == .app)
        #expect(read.package("Ride")?.targets.map { $0.files.count } == [1, 1])
    }

    @Test(
        "The root depends on what it declares for the tests of other packages, but not on what these import")
    func mirrors() throws {
        let small = try SmallTree.make()
        let file = "Packages/Business/Ride/Tests/RideTests/RideTests.swift"
        try small.edit(file, "import Testing\n", "import Mediator\nimport Testing\n")
        let mirror =
            "        .testTarget(name: \"RideTests\", dependencies: [\"Ride\"], path: \"\(PathText.split(file).folder)\"),\n"
        try small.edit("Package.swift", "    targets: [\n", "    targets: [\n" + mirror)
        let read = try TreeReader(root: small.root).read()
        let graph = PackageGraph(read)
        func places(in path: String, of name: String) throws -> [String] {
            let (from, to) = (try #require(read.package(in: path)), try #require(read.package(name)))
            return graph.incoming[to.index].filter { $0.from == from.index && $0.isTest }
                .flatMap(\.places).map(\.path)
        }
        #expect(try places(in: "", of: "Ride") == ["Package.swift"])
        #expect(try places(in: "", of: "Mediator") == [])
        #expect(try places(in: "Packages/Business/Ride", of: "Mediator") == [file])
    }

    @Test("A fresh, stale, truncated or corrupted cache does not change the tree reader's result")
    func caches() throws {
        let small = try SmallTree.make()
        let cache = small.root + "/.cache/facts"
        func read(_ caching: TreeReader.Caching) throws -> [SourceFacts] {
            try TreeReader(root: small.root, caching: caching).read().files.map(\.facts)
        }
        let plain = try read(.none)
        #expect(try read(.file(cache)) == plain)
        #expect(try read(.file(cache)) == plain)

        // Stale: the file's content has changed, but not its length.
        try small.edit(
            "Packages/Business/Ride/Sources/Ride/RideModule.swift", "import RideApi", "import RideApj")
        let changed = try read(.none)
        #expect(changed != plain)
        #expect(try read(.file(cache)) == changed)

        // Truncated: the file ends at one of three places. Corrupted: one byte at that place is changed.
        let whole = try Data(contentsOf: URL(filePath: cache))
        for part in 0..<3 {
            try whole.prefix(whole.count * part / 3).write(to: URL(filePath: cache))
            #expect(try read(.file(cache)) == changed)
            var turned = whole
            turned[whole.count * part / 3] ^= 0x15
            try turned.write(to: URL(filePath: cache))
            #expect(try read(.file(cache)) == changed)
        }
    }

    @Test("SwiftPM's result for a manifest is shared by all trees, until the manifest changes")
    func sharedManifests() throws {
        let text =
            "// swift-tools-version: 6.3\nimport PackageDescription\n"
            + "let name = [\"A\"].joined()\nlet package = Package(name: name)\n"
        let tree = try TemporaryTree(["One/Package.swift": text, "Two/Package.swift": text])
        func names() throws -> [String] {
            let caching = TreeReader.Caching.file(tree.root + "/.cache/two")
            return try TreeReader(root: tree.root + "/Two", caching: caching).read().packages.map(
                \.manifest.name)
        }
        // A forged entry for the same content proves that the cache is used.
        let one = FactCache(.file(tree.root + "/.cache/one"), root: tree.root)
        let json = #"{"name": "Forged", "dependencies": [], "products": [], "targets": []}"#
        _ = one.shared("manifests", Array(text.utf8), isOfTool: false) {
            DumpedManifest.Output(folder: tree.root + "/One", json: Data(json.utf8))
        }
        #expect(try names() == ["Forged"])
        #expect(try names() == ["Forged"])
        // New content of the same length.
        try tree.edit("Two/Package.swift", "\"A\"", "\"C\"")
        #expect(try names() == ["C"])
    }

    @Test("Adding a value to the shared cache deletes values that are older than a month")
    func sweptCache() throws {
        let tree = try TemporaryTree(["values/old": "", "values/recent": ""])
        for (name, days) in [("old", 31.0), ("recent", 29.0)] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -days * 86_400)],
                ofItemAtPath: tree.root + "/values/" + name)
        }
        let cache = FactCache(.file(tree.root + "/facts"), root: tree.root)
        let path = tree.root + "/values"
        #expect(cache.shared("values", [1]) { "one" } == "one")
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(names.contains("recent") && !names.contains("old") && names.count == 2)
        #expect(cache.shared("values", [1]) { "not read" } == "one")
    }

    @Test("The tree is named after its root package, unless the package has the name of an executable")
    func rootName() throws {
        let tree = try SmallTree.make()
        func name() throws -> String {
            let read = try TreeReader(root: tree.root).read()
            #expect(read.rootPackage?.name == read.name || read.rootPackage == nil)
            return read.name
        }
        #expect(try name() == "App")
        try tree.edit("Package.swift", "name: \"App\"", "name: \"Shell\"")
        #expect(try name() == URL(filePath: tree.root).lastPathComponent)
        try tree.commit("Start")
        try tree.git("remote", "add", "origin", "git@example.com:people/the-app.git")
        #expect(try name() == "the-app")
        try tree.remove("Package.swift")
        #expect(try name() == "the-app")
        #expect(try TreeReader(root: tree.root + "/Packages").read().name == "Packages")
    }
}
