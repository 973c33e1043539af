import Foundation
import Locking
import TestSupport
import Testing

@testable import Storage

extension TemporaryFolder {
    /// The names of the storage's files, without the lock file.
    var stored: [String] { get throws { try names.filter { $0 != ".lock" } } }
}

struct Trip: Codable, Equatable, Sendable {
    var to: String
    var price: Int?
}

/// Files in memory, on a simulated disk that a test can fill.
final class FaultyFiles: StorageFiles {
    var home: URL? { nil }
    var lock: SuspendableLock? { nil }

    private let state = Locked(
        (files: [String: Data](), protections: [String: FileProtectionType](), isFull: false))

    func fill(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }
    func path(_ name: String) -> String { name }
    func read(_ name: String) -> Data? { state.withLock { $0.files[name] } }
    func protection(_ name: String) -> FileProtectionType? { state.withLock { $0.protections[name] } }
    func write(_ data: Data, _ name: String, protection: FileProtectionType?) throws(StorageError) {
        try state.withLock { (state) throws(StorageError) in
            guard !state.isFull else { throw .notWritten(name, "the disk is full") }
            state.files[name] = data
            state.protections[name] = protection
        }
    }
    func setAside(_ name: String) throws(StorageError) -> URL { throw .notSetAside(name, "not supported") }
}

/// The code of the ``StorageError`` that `body` throws; nil if it throws no such error.
func code(_ body: () throws -> Void) -> StorageError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StorageError)?.code
    }
}
