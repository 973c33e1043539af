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
