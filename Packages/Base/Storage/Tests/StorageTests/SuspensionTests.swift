import Foundation
import Locking
import TestSupport
import Testing

@testable import Storage

/// Two storages of one folder stand in for two processes: each has its own descriptor, so the system treats
/// their locks like the locks of two processes.
@Suite("A suspended storage", .waitLimit)
struct SuspensionTests {
    let folder: TemporaryFolder
    let storage: Storage
    let count: Document<[Int]>

    init() throws {
        folder = try TemporaryFolder()
        storage = try Storage(folder: folder.url, secrets: Self.secrets(folder))
        count = try storage.document("count", default: [Int]())
        try count.update { $0 = [1] }
    }

    /// Secrets in files, because the Keychain of macOS rejects a test process, which has no entitlement.
    private static func secrets(_ folder: TemporaryFolder) -> any Secrets {
        FileSecrets(folder: folder.url.appendingPathComponent("secrets"))
    }

    private func other(_ unreadable: Storage.Unreadable = .refuse) throws -> Storage {
        try Storage(folder: folder.url, unreadable: unreadable, secrets: Self.secrets(folder))
    }

    private func changeElsewhere(_ number: Int) throws {
        try other().document("count", default: [Int]()).update { $0.append(number) }
    }

    @Test("Another process can use the folder, and later updates build on the changes of that process")
    func otherProcess() async throws {
        #expect(code { try changeElsewhere(0) } == .inUse)
        await storage.suspend()
        for number in [2, 4] {
            try changeElsewhere(number)
            #expect(count.value.last == number - 1)
            try count.update { $0.append(number + 1) }
        }
        #expect(count.value == [1, 2, 3, 4, 5])
        #expect(try other().document("count", default: [Int]()).value == [1, 2, 3, 4, 5])
    }

    @Test("While another process is using the folder, every change throws and has no effect")
    func inUse() async throws {
        try storage.secrets.setSecret(Data([1]), name: "token")
        await storage.suspend()
        var second: Storage? = try other()
        #expect(code { try count.update { $0.append(2) } } == .inUse)
        #expect(code { try storage.secrets.setSecret(nil, name: "token") } == .inUse)
        #expect(code { _ = try storage.document("new", default: 0) } == .inUse)
        #expect(count.value == [1])
        #expect(try storage.secrets.secret("token") == Data([1]))
        #expect(try second?.document("count", default: [Int]()).value == [1])

        second = nil
        try count.update { $0.append(2) }
        try storage.secrets.setSecret(nil, name: "token")
        try storage.document("new", default: 0).update { $0 = 1 }
        second = try other()
        #expect(try second?.document("count", default: [Int]()).value == [1, 2])
        #expect(try second?.document("new", default: 0).value == 1)
        #expect(try second?.secrets.secret("token") == nil)
    }

    @Test("After resuming, documents have the other process's values, and the folder is locked again")
    func resumed() async throws {
        await storage.suspend()
        try changeElsewhere(2)
        try storage.resume()
        #expect(count.value == [1, 2])
        #expect(code { try changeElsewhere(3) } == .inUse)
        try count.update { $0.append(3) }
        #expect(code { try changeElsewhere(4) } == .inUse)
        // Suspending and resuming a second time has the same effect, and resuming twice changes nothing.
        await storage.suspend()
        try changeElsewhere(4)
        try storage.resume()
        try storage.resume()
        #expect(count.value == [1, 2, 3, 4])
    }

    @Test(
        "After resuming, a document reads a file again that other processes changed, even back to its first value"
    )
    func changedBack() async throws {
        let start = count.value
        for values in [[7], start] {
            await storage.suspend()
            try other().document("count", default: [Int]()).update { $0 = values }
            try storage.resume()
            #expect(count.value == values)
        }
    }

    @Test("A storage that cannot be resumed stays suspended")
    func notResumed() async throws {
        await storage.suspend()
        var second: Storage? = try other()
        #expect(code { try storage.resume() } == .inUse)
        try second?.document("count", default: [Int]()).update { $0.append(2) }
        second = nil
        try count.update { $0.append(3) }
        second = try other()
        #expect(try second?.document("count", default: [Int]()).value == [1, 2, 3])
        second = nil
        try storage.resume()
        #expect(code { _ = try other() } == .inUse)
    }

    /// Updates the count on a separate thread, where `change` may wait for a task.
    private func update<Result: Sendable>(
        _ change: @escaping @Sendable (inout [Int]) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { done in
            Thread.detachNewThread { done.resume(with: Swift.Result { try count.update(change) }) }
        }
    }

    @Test("Suspending waits for running updates, even if one runs inside another")
    func running() async throws {
        let inner = try storage.document("inner", default: 0)
        final class Events: Sendable {
            let names = Locked([String]())
        }
        let events = Events()
        let suspension = try await update { count in
            let suspension = Task {
                await storage.suspend()
                events.names.withLock { $0.append("suspended") }
            }
            while storage.isSuspended == false { sched_yield() }
            #expect(code { _ = try other() } == .inUse)
            try inner.update { $0 = 1 }
            #expect(code { _ = try other() } == .inUse)
            events.names.withLock { $0.append("updated") }
            count.append(2)
            return suspension
        }
        await suspension.value
        #expect(events.names.withLock { $0 } == ["updated", "suspended"])
        #expect(try other().document("count", default: [Int]()).value == [1, 2])
        #expect(try other().document("inner", default: 0).value == 1)
    }

    @Test("Resuming during an update keeps the lock, and lets suspend() return")
    func resumedEarly() async throws {
        let suspension = try await update { _ in
            let suspension = Task { await storage.suspend() }
            while storage.isSuspended == false { sched_yield() }
            try storage.lock?.resume()
            return suspension
        }
        await suspension.value
        #expect(code { _ = try other() } == .inUse)
    }

    @Test("A change that throws, or that cannot be written, leaves the lock free")
    func failures() async throws {
        struct Refused: Error {}
        await storage.suspend()
        #expect(throws: Refused.self) { try count.update { _ in throw Refused() } }
        try changeElsewhere(2)
        try FileManager.default.createDirectory(
            at: folder.file("count.json.writing"), withIntermediateDirectories: false)
        #expect(code { try count.update { $0.append(3) } } == .notWritten)
        #expect(count.value == [1, 2])
        try FileManager.default.removeItem(at: folder.file("count.json.writing"))
        try changeElsewhere(3)
        let moved = folder.url.appendingPathExtension("moved")
        try FileManager.default.moveItem(at: folder.url, to: moved)
        #expect(code { try count.update { $0.append(4) } } == .noFolder)
        try FileManager.default.moveItem(at: moved, to: folder.url)
        try count.update { $0.append(4) }
        #expect(count.value == [1, 2, 3, 4])
    }

    @Test("A value keeps the parts that its file does not contain, unless another process changes the file")
    func unchanged() async throws {
        struct Session: Codable, Equatable {
            var name = ""
            var token: String?
            private enum CodingKeys: CodingKey { case name }
        }
        let session = try storage.document("session", default: Session())
        try session.update { $0 = Session(name: "Ann", token: "t") }
        await storage.suspend()
        try session.update { _ in }
        try storage.resume()
        #expect(session.value == Session(name: "Ann", token: "t"))
        await storage.suspend()
        try other().document("session", default: Session()).update { $0.name = "Bob" }
        try storage.resume()
        #expect(session.value == Session(name: "Bob"))
    }

    @Test("Suspending has no effect on an in-memory storage and its documents")
    func inMemory() async throws {
        let storage = Storage.inMemory()
        let document = try storage.document("count", default: 0)
        await storage.suspend()
        try document.update { $0 = 1 }
        try storage.resume()
        #expect(document.value == 1)
    }
}

extension Storage {
    fileprivate var lock: SuspendableLock? { shared.files.lock }
    fileprivate var isSuspended: Bool? { lock?.isSuspended }
}
