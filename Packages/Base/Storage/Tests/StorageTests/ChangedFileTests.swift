import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("A file that changes while the storage is suspended", .waitLimit)
struct ChangedFileTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    /// Opens a document whose value is "old", and suspends its storage.
    private func suspended(_ unreadable: Storage.Unreadable = .refuse) async throws -> (
        Storage, Document<String>
    ) {
        let storage = try Storage(folder: folder.url, unreadable: unreadable)
        let document = try storage.document(
            "text", version: 2, default: "default",
            migrations: [Migration(from: 1) { (number: Int) in "\(number)" }])
        try document.update { $0 = "old" }
        await storage.suspend()
        return (storage, document)
    }

    @Test("A file that became unreadable is never overwritten: updates throw, and the value stays unchanged")
    func refused() async throws {
        let (storage, document) = try await suspended()
        for (text, expected) in [("{", StorageError.Code.torn), ("{}", .foreign)] {
            try folder.write(text, to: "text.json")
            #expect(code { try document.update { $0 = "new" } } == expected)
            #expect(code { try storage.resume() } == expected)
            // The storage resumes despite the unreadable file, and the next update does not overwrite the file
            // either.
            #expect(code { _ = try Storage(folder: folder.url) } == .inUse)
            #expect(code { try document.update { $0 = "new" } } == expected)
            #expect(document.value == "old")
            #expect(try folder.text("text.json") == text)
            await storage.suspend()
        }
        try Storage(folder: folder.url, unreadable: .setAside)
            .document("text", version: 2, default: "").update { $0 = "good" }
        try storage.resume()
        #expect(document.value == "good")
    }

    @Test("A file of a newer version is never overwritten")
    func newer() async throws {
        let (storage, document) = try await suspended()
        try FileManager.default.removeItem(at: folder.file("text.json"))
        try Storage(folder: folder.url).document("text", version: 3, default: "").update { $0 = "newer" }
        let newer = try folder.text("text.json")
        #expect(code { try document.update { $0 = "new" } } == .newer)
        #expect(code { try storage.resume() } == .newer)
        #expect(try folder.text("text.json") == newer)
    }

    @Test("A file of an older version is migrated")
    func older() async throws {
        let (_, document) = try await suspended()
        try FileManager.default.removeItem(at: folder.file("text.json"))
        try Storage(folder: folder.url).document("text", version: 1, default: 0).update { $0 = 7 }
        try document.update { $0 += "!" }
        #expect(document.value == "7!")
    }

    @Test("A document whose file was removed gets its default value again")
    func removed() async throws {
        let (_, document) = try await suspended()
        try FileManager.default.removeItem(at: folder.file("text.json"))
        try document.update { $0 += "!" }
        #expect(document.value == "default!")
    }

    @Test("A truncated file is set aside on request, but not while another process is using the folder")
    func setAside() async throws {
        let (storage, document) = try await suspended(.setAside)
        try folder.write("{", to: "text.json")
        var second: Storage? = try Storage(folder: folder.url)
        #expect(code { try document.update { $0 += "!" } } == .inUse)
        #expect(try folder.text("text.json") == "{")
        #expect(storage.setAside.isEmpty && second?.setAside.isEmpty == true)
        second = nil
        try document.update { $0 += "!" }
        #expect(document.value == "default!")
        #expect(storage.setAside.map(\.reason.code) == [.torn])
        #expect(try folder.text("text.json.unreadable-1") == "{")
    }
}

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("Processes with suspended storages", .serialized, .waitLimit)
struct SuspendedProcessTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    /// Adds 1 to the count as soon as no other process is using the folder.
    private static func add(to count: Document<Int>) throws {
        while code({ try count.update { $0 += 1 } }) == .inUse { sched_yield() }
    }

    @Test("Concurrent updates by several processes lose no changes")
    func concurrent() async throws {
        let rounds = 40
        try await withThrowingTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = folder.url.path as String, rounds = rounds as Int] in
                        WaitLimit.startInExitTest()
                        let storage = try await Self.suspendedStorage(URL(fileURLWithPath: path))
                        let count = try Self.opened(storage)
                        for _ in 0..<rounds { try Self.add(to: count) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try Storage(folder: folder.url).document("count", default: 0).value == 3 * rounds)
    }

    @Test("After a process is killed, another process can use the folder, and finds every completed update")
    func killed() async throws {
        let storage = try await Self.suspendedStorage(folder.url)
        let count = try Self.opened(storage)
        for round in 0..<(TestLevel.isDeep ? 30 : 5) {
            let before = count.value
            try folder.write("", to: "returned")
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = folder.url.path as String, round = round as Int] in
                WaitLimit.startInExitTest()
                let url = URL(fileURLWithPath: path)
                let count = try Self.opened(try await Self.suspendedStorage(url))
                let returned = try FileHandle(forWritingTo: url.appendingPathComponent("returned"))
                while true {
                    try Self.add(to: count)
                    try returned.write(contentsOf: Data([0]))
                    if count.value.isMultiple(of: 3) {
                        Thread.detachNewThread {
                            for _ in 0..<round * 37 % 199 { sched_yield() }
                            kill(getpid(), SIGKILL)
                        }
                    }
                }
            }
            let returned = try Data(contentsOf: folder.file("returned")).count
            try count.update { $0 += 1 }
            #expect([returned, returned + 1].contains(count.value - before - 1))
        }
    }

    /// Opens a storage as soon as no other process is using the folder, and suspends the storage.
    private static func suspendedStorage(_ folder: URL) async throws -> Storage {
        while true {
            do throws(StorageError) {
                let storage = try Storage(folder: folder)
                await storage.suspend()
                return storage
            } catch {
                guard error.code == .inUse else { throw error }
                sched_yield()
            }
        }
    }

    private static func opened(_ storage: Storage) throws -> Document<Int> {
        while true {
            do throws(StorageError) {
                return try storage.document("count", default: 0)
            } catch {
                guard error.code == .inUse else { throw error }
                sched_yield()
            }
        }
    }
}
#endif
