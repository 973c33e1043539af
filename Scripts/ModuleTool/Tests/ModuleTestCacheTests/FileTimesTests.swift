import Foundation
import ModuleFixtures
import Testing

@testable import ModuleTestCache

@Suite("When files were written")
struct FileTimesTests {
    @Test("A file that a program has given another time is noticed")
    func times() throws {
        let tree = try TestTree()
        let file = "Apps/PlainTests/PlainTests.swift"
        let before = try #require(try tree.target("PlainTests")?.times[file])
        #expect(!before.isSet)
        try tree.tree.run("touch", "-r", "/etc", file)
        let after = try #require(try tree.target("PlainTests")?.times[file])
        #expect(after.isSet && after != before)
    }

    @Test("Times have nanoseconds")
    func nanoseconds() throws {
        let tree = try TemporaryTree(["file": ""])
        try tree.run("touch", "-d", "1970-01-01T00:00:07.250000001Z", "file")
        #expect(FileTimes(tree.root + "/file")?.modified == 7_250_000_001)
    }

    @Test("A file that is added and removed during a run is noticed")
    func foldersDuringRun() throws {
        let tree = try TestTree()
        let before = try #require(try tree.target("RideTests")?.times)
        let gate = try #require(try tree.target("GateTests")?.times)
        try tree.tree.write("Packages/Ride/Sources/Ride/New.swift", "")
        try tree.tree.remove("Packages/Ride/Sources/Ride/New.swift")
        let after = try #require(try tree.target("RideTests")?.times)
        #expect(before.filter { after[$0.key] != $0.value }.map(\.key) == ["Packages/Ride/Sources/Ride"])
        #expect(try tree.target("GateTests")?.times == gate)
    }

    @Test("The files in a folder that has taken the place of another one are noticed")
    func movedFolders() throws {
        let tree = try TestTree()
        #expect(try tree.target("RideTests")?.restored == [])
        let folder = "Packages/Ride/Sources/Ride/Resources"
        try tree.tree.run("touch", "-d", "yesterday", folder)
        #expect(try tree.target("RideTests")?.restored.sorted() == [folder, folder + "/a.txt"])
        #expect(try tree.target("GateTests")?.restored == [])
    }

    @Test("A link changes when it leads to another file")
    func links() throws {
        let tree = try TemporaryTree(["file": ""])
        let link = tree.root + "/link"
        let file = try #require(FileTimes(tree.root + "/file"))
        // The clock of the file system stands still for some milliseconds.
        for _ in 0..<100_000 where FileTimes(link)?.changed ?? 0 <= file.changed {
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file")
        }
        let times = try #require(FileTimes(link))
        #expect(times.modified == file.modified && times.changed > file.changed)
    }
}
