import Foundation

/// The place where a ``Storage`` keeps the bytes of its documents. All operations are thread-safe; calls for
/// the same document never overlap.
protocol StorageFiles: Sendable {
    /// The folder that contains the documents, or nil if the documents are not in a folder.
    var home: URL? { get }

    /// The lock that keeps other processes away from the documents, or nil if no other process can reach them.
    var lock: SuspendableLock? { get }

    /// The path of a document, for error messages.
    func path(_ name: String) -> String

    /// Returns the bytes of a document, or nil if it was never written. Called only inside
    /// ``operation(orThrow:_:)``.
    func read(_ name: String) throws(StorageError) -> Data?

    /// Replaces the bytes of a document, atomically and durably. Called only inside ``operation(orThrow:_:)``.
    ///
    /// - Parameter protection: The protection of the file on Apple platforms; nil for the app's default.
    func write(_ data: Data, _ name: String, protection: FileProtectionType?) throws(StorageError)

    /// Moves a document's file out of the way, and returns the new location. Called only inside
    /// ``operation(orThrow:_:)``.
    func setAside(_ name: String) throws(StorageError) -> URL
}

extension StorageFiles {
    /// Runs an operation under the lock, so that no other process changes the files. Operations on different
    /// documents may overlap.
    ///
    /// - Parameters:
    ///   - notBegun: Creates the error for an operation that cannot begin because the lock cannot be taken.
    ///   - body: The operation. Its argument is how many times the lock has been released so far.
    func operation<Result: Sendable, Failure: Error>(
        orThrow notBegun: (StorageError) -> Failure,
        _ body: (_ releases: Int) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let releases: Int
        do throws(StorageError) {
            releases = try lock?.beginOperation() ?? 0
        } catch {
            throw notBegun(error)
        }
        defer { lock?.endOperation() }
        return try body(releases)
    }
}

/// Stores nothing: the values exist only in the ``Document`` objects, in memory.
struct NoFiles: StorageFiles {
    var home: URL? { nil }
    var lock: SuspendableLock? { nil }

    func path(_ name: String) -> String { "\(name).json (in memory)" }
    func read(_ name: String) -> Data? { nil }
    func write(_ data: Data, _ name: String, protection: FileProtectionType?) {}
    func setAside(_ name: String) throws(StorageError) -> URL {
        throw .notSetAside(path(name), "there is no file")
    }
}
