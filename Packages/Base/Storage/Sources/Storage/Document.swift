import Foundation
import Locking

/// A persistent value. Reads are served from memory; a change takes effect once it is on disk.
///
/// To open a document, call ``Storage/document(_:version:default:migrations:protection:)``. All operations are
/// thread-safe.
public final class Document<Value: Codable & Sendable>: OpenDocument, Sendable, CustomStringConvertible {
    /// The document's name in the storage.
    public let name: String

    /// The format version that updates write.
    public let version: Int

    private let current: Locked<Value>
    /// Serialises updates. Separate from the lock of `current`, so that readers do not wait for the disk.
    private let turn: Locked<Turn>
    private let file: DocumentFile<Value>

    /// The state of the file at the end of the last operation.
    private struct Turn {
        var digest: String?
        /// How many times the folder's lock had been released by the end of the last operation. If the
        /// lock has been released again since then, the file may have changed.
        var releases: Int
    }

    /// Reads the document's file.
    init(_ file: DocumentFile<Value>) throws(StorageError) {
        (self.file, name, version) = (file, file.name, file.version)
        let (content, releases) = try file.files.operation(orThrow: { $0 }) {
            (releases) throws(StorageError) in
            (try file.read(), releases)
        }
        current = Locked(content.value)
        turn = Locked(Turn(digest: content.digest, releases: releases))
    }

    /// The value on disk, or the default if there is no file. Reads do not wait for the disk.
    ///
    /// While the storage is suspended, another process may change the file. This property returns the old value
    /// until the next update of this document, or until ``Storage/resume()``.
    public var value: Value { current.withLock { $0 } }

    /// Changes the value and writes it to disk. Concurrent updates run one after the other, each on the
    /// result of the previous update.
    ///
    /// When this method returns, the change is on disk and survives a crash or a power loss. Readers do not
    /// see the new value before it is on disk. A crash at any moment leaves the old or the new file, never
    /// anything in between.
    ///
    /// This method waits for the disk. From the main actor, call it through a `@concurrent` function. Complexity:
    /// linear in the size of the document.
    ///
    /// - Parameter change: Modifies its argument. The closure may read ``value``, which still returns the old
    ///   value. Updating the same document in the closure stops the process. It may update another document, if all closures
    ///   that update both do so in the same order: two updates that nest in opposite orders wait for each other, or stop the
    ///   process.
    /// - Returns: The result of `change`.
    /// - Throws: The error that `change` throws, or a ``StorageError`` if the new value cannot be written, or
    ///   if the storage is suspended and another process is using the folder. After an error, the value
    ///   is unchanged, or the one that another process has written while the storage was suspended. The file is
    ///   unchanged too, with one exception: the last step renames the new file and flushes the folder to disk. If only
    ///   this flush fails, the next launch may find the new value.
    @discardableResult
    public func update<Result: Sendable>(_ change: (inout Value) throws -> Result) throws -> Result {
        try update(change, notWritten: { $0 as any Error })
    }

    /// Changes the value like ``update(_:)``, but throws an error of the caller's type.
    ///
    /// ```swift
    /// try journeys.update(orThrow: JourneyApiError.notSaved) { $0.append(journey) }
    /// ```
    ///
    /// - Parameters:
    ///   - notSaved: Creates the error for a value that cannot be written. Its argument is the description of
    ///     the ``StorageError``.
    ///   - change: As in ``update(_:)``.
    /// - Returns: The result of `change`.
    /// - Throws: The error that `change` throws, unchanged, or the error that `notSaved` returns.
    @discardableResult
    public func update<Result: Sendable, Failure: Error>(
        orThrow notSaved: (_ why: String) -> Failure, _ change: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try update(change, notWritten: { notSaved($0.description) })
    }

    /// Changes the value like the other `update(orThrow:)`, but with a closure that does not throw. (The compiler
    /// does not accept such a closure where one that throws `Failure` is expected.)
    @discardableResult
    public func update<Result: Sendable, Failure: Error>(
        orThrow notSaved: (_ why: String) -> Failure, _ change: (inout Value) -> Result
    ) throws(Failure) -> Result {
        try update({ (value) throws(Failure) in change(&value) }, notWritten: { notSaved($0.description) })
    }

    private func update<Result: Sendable, Failure: Error>(
        _ change: (inout Value) throws(Failure) -> Result, notWritten: (StorageError) -> Failure
    ) throws(Failure) -> Result {
        try turn.withLock { (turn) throws(Failure) in
            try file.files.operation(orThrow: notWritten) { (releases) throws(Failure) in
                do throws(StorageError) {
                    try reload(&turn, releases)
                } catch {
                    throw notWritten(error)
                }
                var new = value
                let result = try change(&new)
                do throws(StorageError) {
                    turn.digest = try file.write(new)
                } catch {
                    throw notWritten(error)
                }
                current.withLock { [new] in $0 = new }
                return result
            }
        }
    }

    /// Reads the file again if the folder's lock was released since the last operation.
    func reload() throws(StorageError) {
        try turn.withLock { (turn) throws(StorageError) in
            try file.files.operation(orThrow: { $0 }) { (releases) throws(StorageError) in
                try reload(&turn, releases)
            }
        }
    }

    private func reload(_ turn: inout Turn, _ releases: Int) throws(StorageError) {
        guard turn.releases != releases else { return }
        let content = try file.read(unlessUnchanged: .init(value: value, digest: turn.digest))
        current.withLock { $0 = content.value }
        turn = Turn(digest: content.digest, releases: releases)
    }

    /// The value's type and the version.
    public var description: String { "\(Value.self), version \(version)" }
}

/// A document of any type.
protocol OpenDocument: Sendable, CustomStringConvertible {
    func reload() throws(StorageError)
}
