import Foundation

/// The place where a storage keeps the bytes of its documents. All operations are thread-safe; calls for the
/// same document never overlap.
protocol StorageFiles: Sendable {
    /// The folder that contains the documents, or nil if the documents are not in a folder.
    var home: URL? { get }

    /// The path of a document, for errors.
    func path(_ name: String) -> String

    /// Returns the bytes of a document, or nil if it was never written.
    func read(_ name: String) throws(StorageError) -> Data?

    /// Replaces the bytes of a document, atomically and durably.
    ///
    /// - Parameter protection: The protection of the file on Apple platforms; nil for the app's default.
    func write(_ data: Data, _ name: String, protection: FileProtectionType?) throws(StorageError)

    /// Moves a document's file out of the way, and returns the new location.
    func setAside(_ name: String) throws(StorageError) -> URL
}

/// Stores nothing: the values exist only in the documents, which the storage keeps in memory.
struct NoFiles: StorageFiles {
    var home: URL? { nil }

    func path(_ name: String) -> String { "\(name).json (in memory)" }
    func read(_ name: String) -> Data? { nil }
    func write(_ data: Data, _ name: String, protection: FileProtectionType?) {}
    func setAside(_ name: String) throws(StorageError) -> URL {
        throw .notSetAside(path(name), "there is no file")
    }
}
