import Foundation

/// Where a storage keeps its documents' bytes. All operations are safe from every thread; those of one document
/// come one after the other.
protocol StorageFiles: Sendable {
    /// The folder that they are in; nil when they are in none.
    var home: URL? { get }

    /// The place of a document, for errors.
    func path(_ name: String) -> String

    /// The bytes of a document, or nil when it was never written.
    func read(_ name: String) throws(StorageError) -> Data?

    /// Puts these bytes in the place of those before, at one stroke and for good.
    func write(_ data: Data, _ name: String) throws(StorageError)

    /// Moves a document's bytes away, and says where to.
    func setAside(_ name: String) throws(StorageError) -> URL
}

/// Keeps nothing: the values are in the documents, which the storage keeps.
struct NoFiles: StorageFiles {
    var home: URL? { nil }

    func path(_ name: String) -> String { "\(name).json (in memory)" }
    func read(_ name: String) -> Data? { nil }
    func write(_ data: Data, _ name: String) {}
    func setAside(_ name: String) throws(StorageError) -> URL {
        throw .notSetAside(path(name), "there is no file")
    }
}
