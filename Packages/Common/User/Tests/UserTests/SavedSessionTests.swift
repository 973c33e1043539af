import Foundation
import Storage
import Synchronization
import Testing
import UserApi

@testable import User

/// Secrets that call a test's closure before each write. The test can also make the writes fail.
private final class LockedSecrets: Secrets {
    private let kept = InMemorySecrets()
    let isLocked = Atomic(false), isUnreadable = Atomic(false)
    let beforeChange = Mutex((@Sendable () -> Void)?.none)

    func secret(_ name: String) throws(StorageError) -> Data? {
        try kept.secret(isUnreadable.load(ordering: .relaxed) ? "" : name)
    }
    func setSecret(_ secret: Data?, name: String) throws(StorageError) {
        beforeChange.withLock { $0 }?()
        // The test needs any StorageError. An empty name causes the only one that a test can provoke.
        try kept.setSecret(secret, name: isLocked.load(ordering: .relaxed) ? "" : name)
    }
}

extension SavedSession {
    /// Replaces the session, or ends it, without a condition.
    func replace(with session: SignedSession?) throws(UserApiError) -> SignedSession? {
        try replace { _ in session }
    }
}

@Suite("The saved session")
struct SavedSessionTests {
    private let ann = SignedSession(id: "7", name: "Ann", token: "secret-token")
    private let bob = SignedSession(id: "8", name: "Bob", token: "other-token")
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "user-\(UUID().uuidString)", directoryHint: .isDirectory)
    private let secrets = LockedSecrets()

    private func open() throws -> SavedSession {
        try SavedSession(in: Storage(folder: folder, secrets: secrets))
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    private var file: String {
        get throws { try String(contentsOf: folder.appending(path: "user.json"), encoding: .utf8) }
    }

    @Test("The token survives a restart, and is never written to the document's file")
    func restart() throws {
        defer { remove() }
        #expect(try open().replace(with: ann) == nil)
        #expect(try file.contains(#""session":{"id":"7","name":"Ann"}"#))
        #expect(try !file.contains("token"))
        #expect(try open().session == ann)
        #expect(try open().replace(with: bob) == ann)
        #expect(try open().replace(with: nil) == bob)
        #expect(try open().session == nil)
        #expect(try secrets.secret("user-session") == nil)
    }

    @Test("The token in a version 1 file moves to the secrets, and is removed from the file")
    func migration() throws {
        defer { remove() }
        struct Version1: Codable {
            var session: SignedSession?
        }
        try Storage(folder: folder).document("user", version: 1, default: Version1())
            .update { $0.session = ann }
        #expect(try file.contains("secret-token"))
        secrets.isLocked.store(true, ordering: .relaxed)
        #expect(throws: StorageError.self) { try open() }
        #expect(try file.contains("secret-token"))
        secrets.isLocked.store(false, ordering: .relaxed)
        #expect(try open().session == ann)
        #expect(try !file.contains("token"))
        #expect(try file.contains(#""version":2"#))
        #expect(try open().session == ann)
    }

    @Test("A version 1 file without a session still has no session after the migration")
    func emptyMigration() throws {
        defer { remove() }
        try Storage(folder: folder).document("user", version: 1, default: [String: String]()).update { _ in }
        #expect(try open().session == nil)
        #expect(try secrets.secret("user-session") == nil)
    }

    @Test("Nobody is logged in if the secret is missing, invalid or belongs to another passenger")
    func mismatch() throws {
        defer { remove() }
        _ = try open().replace(with: ann)
        for secret in [nil, try JSONEncoder().encode(bob), Data("no session".utf8)] {
            try secrets.setSecret(secret, name: "user-session")
            let saved = try open()
            #expect(saved.session == nil)
        }
        _ = try open().replace(with: bob)
        #expect(try open().session == bob)
    }

    @Test("A resumed storage returns the session that another process saved, even if only the token is new")
    func otherProcess() async throws {
        defer { remove() }
        let storage = try Storage(folder: folder, secrets: secrets)
        let saved = try SavedSession(in: storage)
        _ = try saved.replace(with: ann)
        for session in [SignedSession(id: "7", name: "Ann", token: "next-token"), bob, nil] {
            await storage.suspend()
            _ = try open().replace(with: session)
            try storage.resume()
            #expect(saved.session == session)
        }
    }

    @Test("A change gets the session that another process has saved, and an error of the change keeps it")
    func otherProcessMeanwhile() async throws {
        defer { remove() }
        let storage = try Storage(folder: folder, secrets: secrets)
        let saved = try SavedSession(in: storage)
        _ = try saved.replace(with: ann)
        await storage.suspend()
        _ = try open().replace(with: bob)
        #expect(throws: UserApiError.wrongCredentials) {
            try saved.replace { (current) throws(UserApiError) in
                #expect(current == bob)
                throw .wrongCredentials
            }
        }
        #expect(saved.session == bob)
        #expect(try open().session == bob)
    }

    @Test("While the token cannot be read, the session can be neither replaced nor opened")
    func unreadable() async throws {
        defer { remove() }
        let storage = try Storage(folder: folder, secrets: secrets)
        let saved = try SavedSession(in: storage)
        _ = try saved.replace(with: ann)
        await storage.suspend()
        _ = try open().replace(with: bob)
        secrets.isUnreadable.store(true, ordering: .relaxed)
        #expect(throws: UserApiError.self) { try saved.replace(with: ann) }
        #expect(throws: StorageError.self) { try open() }
        secrets.isUnreadable.store(false, ordering: .relaxed)
        #expect(try open().session == bob)
    }

    @Test("The old session stays visible during a change, even if that session was read from the file")
    func reading() throws {
        defer { remove() }
        _ = try open().replace(with: ann)
        let saved = try open()
        let seen = Mutex([SignedSession?]())
        secrets.beforeChange.withLock { $0 = { seen.withLock { $0.append(saved.session) } } }
        // The secret is written and then restored, because the document cannot be written.
        let moved = folder.appendingPathExtension("moved")
        try FileManager.default.moveItem(at: folder, to: moved)
        defer { try? FileManager.default.removeItem(at: moved) }
        #expect(throws: UserApiError.self) { try saved.replace(with: bob) }
        secrets.beforeChange.withLock { $0 = nil }
        #expect(seen.withLock { $0 } == [ann, ann])
        #expect(saved.session == ann)
        try FileManager.default.moveItem(at: moved, to: folder)
        #expect(try saved.replace(with: bob) == ann)
        #expect(saved.session == bob)
    }

    @Test("If the secret or the document cannot be written, the session stays unchanged")
    func notSaved() throws {
        defer { remove() }
        let storage = try Storage(folder: folder, secrets: secrets)
        let saved = try SavedSession(in: storage)
        _ = try saved.replace(with: ann)
        func fails(_ session: SignedSession?) {
            let error = #expect(throws: UserApiError.self) { try saved.replace(with: session) }
            guard case .notSaved = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(saved.session == ann)
        }
        // While the folder is moved away, the document cannot be written.
        let moved = folder.appendingPathExtension("moved")
        defer { try? FileManager.default.removeItem(at: moved) }
        for session in [bob, nil] {
            secrets.isLocked.store(true, ordering: .relaxed)
            fails(session)
            secrets.isLocked.store(false, ordering: .relaxed)
            try FileManager.default.moveItem(at: folder, to: moved)
            fails(session)
            try FileManager.default.moveItem(at: moved, to: folder)
            #expect(saved.session == ann)
            let secret = try #require(try secrets.secret("user-session"))
            #expect(try JSONDecoder().decode(SignedSession.self, from: secret) == ann)
        }
    }
}
