import Foundation
import Locking
import TestSupport
import Testing

@testable import Storage

extension TemporaryFolder {
    /// What a storage has there, its lock aside.
    var stored: [String] { get throws { try names.filter { $0 != ".lock" } } }
}

struct Trip: Codable, Equatable, Sendable {
    var to: String
    var price: Int?
}

/// A disk in memory that is full when a test wants it to be.
final class FaultyFiles: StorageFiles {
    var home: URL? { nil }

    private let state = Locked((files: [String: Data](), isFull: false))

    func fill(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }
    func path(_ name: String) -> String { name }
    func read(_ name: String) -> Data? { state.withLock { $0.files[name] } }
    func write(_ data: Data, _ name: String) throws(StorageError) {
        try state.withLock { (state) throws(StorageError) in
            guard !state.isFull else { throw .notWritten(name, "the disk is full") }
            state.files[name] = data
        }
    }
    func setAside(_ name: String) throws(StorageError) -> URL { throw .notSetAside(name, "it never is") }
}

/// The code of what `body` throws; nil when that is no ``StorageError``.
func code(_ body: () throws -> Void) -> StorageError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StorageError)?.code
    }
}
