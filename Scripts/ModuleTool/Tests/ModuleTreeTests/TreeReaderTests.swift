import Foundation
import ModuleFixtures
import Testing

@testable import ModuleTree

@Suite("Tree reader")
struct TreeReaderTests {
    @Test("finds packages, their layers, roles and files")
    func reads() throws {
        let small = try SmallTree.make()
        let read = try TreeReader(root: small.root).read()
        #expect(read.package("Ride")?.role == .imp)
        #expect(read.package("rideapi")?.layer == .api)
        #expect(read.package("RideActions")?.role == .facade)
        #expect(read.package("ErrorCode")?.role == .plain)
        #expect(read.rootPackage?.role == .app)
        #expect(read.package("Ride")?.targets.map { $0.files.count } == [1, 1])
    }

    @Test("gives the same answer from a cache that is fresh, stale, torn or foreign")
    func caches() throws {
        let small = try SmallTree.make()
        let cache = small.root + "/.cache/facts"
        func read(_ caching: TreeReader.Caching) throws -> [SourceFacts] {
            try TreeReader(root: small.root, caching: caching).read().files.map(\.facts)
        }
        let plain = try read(.none)
        #expect(try read(.file(cache)) == plain)
        #expect(try read(.file(cache)) == plain)

        // Stale: same length, other content.
        try small.edit(
            "Packages/Business/Ride/Sources/Ride/RideModule.swift", "import RideApi", "import RideApj")
        let changed = try read(.none)
        #expect(changed != plain)
        #expect(try read(.file(cache)) == changed)

        // Torn at every sixteenth part, and with single bytes turned over.
        let whole = try Data(contentsOf: URL(filePath: cache))
        for part in 0..<16 {
            try whole.prefix(whole.count * part / 16).write(to: URL(filePath: cache))
            #expect(try read(.file(cache)) == changed)
            var turned = whole
            turned[whole.count * part / 16] ^= 0x15
            try turned.write(to: URL(filePath: cache))
            #expect(try read(.file(cache)) == changed)
        }
    }

    @Test("remembers what SwiftPM said of a manifest for as long as the manifest is the same")
    func manifestCache() throws {
        func manifest(_ name: String) -> String {
            // Sorting is not understood from the source.
            "// swift-tools-version: 6.3\nimport PackageDescription\nlet names = [\"A\", \"\(name)\"].sorted()\n"
                + "let package = Package(name: \"P\", targets: names.map { .target(name: $0) })\n"
        }
        #expect(HouseManifest.read(Array(manifest("B").utf8)) == nil)
        let tree = try TemporaryTree([
            "Package.swift": manifest("B"), "Sources/A/a.swift": "import B\n", "Sources/B/b.swift": "",
        ])
        let cache = tree.root + "/.cache/facts"
        func targets(_ caching: TreeReader.Caching) throws -> [String] {
            try TreeReader(root: tree.root, caching: caching).read().packages.flatMap(\.targets).map(\.name)
        }
        #expect(try targets(.none) == ["A", "B"])
        #expect(try targets(.file(cache)) == ["A", "B"])

        // What is remembered is what is used: this entry says something else of the same content.
        let bytes = Array(manifest("B").utf8)
        let forged = FactCache(.file(cache + "-forged"), root: tree.root)
        _ = forged.manifest(of: "Package.swift", bytes) {
            var manifest = Manifest(name: "P")
            manifest.targets = [
                .init(
                    name: "Forged", kind: .regular, path: nil, exclude: [], sources: nil, dependencies: [],
                    position: Position())
            ]
            return manifest
        }
        forged.save()
        #expect(try targets(.file(cache + "-forged")) == ["Forged"])

        // Other content of the same length, first with an old cache, then without one.
        try tree.edit("Package.swift", "\"B\"", "\"C\"")
        #expect(try targets(.file(cache + "-forged")) == ["A", "C"])
        #expect(try targets(.file(cache)) == ["A", "C"])
        try FileManager.default.removeItem(atPath: cache)
        #expect(try targets(.file(cache)) == ["A", "C"])
    }

    @Test("reads a tree of packages that has neither a root package nor pairs")
    func foreignTree() throws {
        let foreign = try TemporaryTree([
            "libs/a/Package.swift": SmallTree.manifest("a", packages: ["../b"], uses: ["b"]),
            "libs/a/Sources/a/a.swift": "import b\n",
            "libs/b/Package.swift": SmallTree.manifest("b"),
            "libs/b/Sources/b/b.swift": "",
        ])
        let tree = try TreeReader(root: foreign.root).read()
        #expect(tree.packages.map(\.name) == ["a", "b"])
        #expect(!tree.hasPairs)
        let edges = PackageGraph(tree).edges
        #expect(edges.count == 1)
        #expect(edges.first?.imports.map(\.description) == ["libs/a/Sources/a/a.swift:1:1"])
    }

    @Test("says what is wrong with a folder that holds no package")
    func empty() throws {
        let folder = try TemporaryTree(["README.md": ""])
        let error = #expect(throws: TreeError.self) { try TreeReader(root: folder.root).read() }
        #expect(error?.kind == .configuration)
    }
}
