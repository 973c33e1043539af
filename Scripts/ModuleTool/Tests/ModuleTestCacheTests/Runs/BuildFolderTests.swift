import Foundation
import ModuleFixtures
import ModuleTree
import Testing

@testable import ModuleTestCache

@Suite("The build folder")
struct BuildFolderTests {
    private let tree: TestTree
    private let folder: BuildFolder

    init() throws {
        tree = try TestTree([".build/build.db": "", ".build/x86/debug/Ride.o": ""])
        try tree.tree.run("ln", "-s", "x86/debug", ".build/debug")
        let root = try TreeReader(root: tree.tree.root).read().rootPackage
        folder = try BuildFolder(of: #require(root).manifest.name, in: tree.tree.root, SwiftOptions()) { _ in
            Issue.record("The folder is locked.")
        }
    }

    private func touch() throws -> Bool { try folder.touch(tree.targets(), in: tree.tree.root) }

    @Test("Files whose time a program has set have a new time, so that they are compiled again")
    func touches() throws {
        let file = "Packages/Ride/Sources/Ride/Ride.swift"
        try tree.tree.run("touch", "-d", "yesterday", file)
        #expect(try touch())
        #expect(try tree.target("RideTests")?.times[file]?.isSet == false)
        #expect(try !touch())
        try tree.tree.run("touch", "-d", "yesterday", file)
        try tree.tree.remove(".build/build.db")
        #expect(try !touch())
    }

    @Test("If a file keeps the time that a program has set, all files are compiled again")
    func keepsTime() throws {
        try tree.tree.run("touch", "-d", "yesterday", "README.md")
        let targets = try tree.targets()
        try tree.tree.remove("README.md")
        #expect(try folder.touch(targets, in: tree.tree.root))
        #expect(!FileManager.default.fileExists(atPath: tree.tree.root + "/.build/x86/debug"))
        #expect(FileManager.default.fileExists(atPath: tree.tree.root + "/.build/build.db"))
    }
}
