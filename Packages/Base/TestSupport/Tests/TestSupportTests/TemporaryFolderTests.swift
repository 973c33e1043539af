import Foundation
import TestSupport
import Testing

@Suite("TemporaryFolder")
struct TemporaryFolderTests {
    @Test("A temporary folder holds the files of one test, separate from the files of other tests")
    func files() throws {
        let folder = try TemporaryFolder(), other = try TemporaryFolder()
        try folder.write("b", to: "b.txt")
        try FileManager.default.createDirectory(at: folder.file("a"), withIntermediateDirectories: true)
        try folder.write("c", to: "a/c.txt")
        #expect(try folder.names == ["a", "b.txt"])
        #expect(folder.files.map(\.lastPathComponent).sorted() == ["b.txt", "c.txt"])
        #expect(try folder.text("a/c.txt") == "c")
        #expect(try other.names == [])
    }

    @Test("A temporary folder is deleted when its object is released")
    func gone() throws {
        let url = try {
            let folder = try TemporaryFolder()
            try folder.write("a", to: "a")
            return folder.url
        }()
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test(
        "A temporary folder is deleted when its process exits, even if a late write created the folder again")
    func late() async throws {
        let place = try TemporaryFolder()
        await #expect(processExitsWith: .success) { [note = place.file("note").path as String] in
            let url = try TemporaryFolder().url
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try Data().write(to: url.appending(path: "late"))
            try Data(url.path.utf8).write(to: URL(filePath: note))
        }
        let path = try place.text("note")
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(!FileManager.default.fileExists(atPath: URL(filePath: path).deletingLastPathComponent().path))
    }
    #endif
}
