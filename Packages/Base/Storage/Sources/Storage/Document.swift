import Dispatch
import Foundation
import Locking

/// A persistent value: reads come from memory, and a change counts only once it is on disk.
///
/// Opened with ``Storage/document(_:version:default:migrations:protection:)``. All operations are thread-safe.
public final class Document<Value: Codable & Sendable>: Sendable, CustomStringConvertible {
    /// The document's name in the storage.
    public let name: String

    /// The version of the value's format that updates write.
    public let version: Int

    private let current: Locked<Value>
    /// Serialises updates. Separate from the lock of `current`, so that readers need not wait for the disk.
    private let turn = Locked(())
    private let files: any StorageFiles
    private let protection: FileProtectionType?
    /// Runs the updates of ``updateInBackground(_:)``.
    private let queue: DispatchQueue

    init(
        name: String, version: Int, value: Value, files: any StorageFiles,
        protection: FileProtectionType? = nil
    ) {
        (self.name, self.version, self.files, self.protection) = (name, version, files, protection)
        current = Locked(value)
        queue = DispatchQueue(label: "Storage.\(name)")
    }

    /// The value as it is on disk, or the default. Reading it does not wait for the disk.
    public var value: Value { current.withLock { $0 } }

    /// Changes the value and writes it to disk. Concurrent updates run one after the other, each on the
    /// result of the previous update.
    ///
    /// When this returns, the change is on disk, safe from a crash and a power loss. Readers do not see the
    /// new value before it is on disk. A crash at any moment leaves the old or the new file, never anything
    /// in between.
    ///
    /// Waits for the disk. Complexity: linear in the size of the document.
    ///
    /// - Parameter change: Modifies its argument. The closure may read ``value``, which still returns the old
    ///   value. Updating the same document in the closure deadlocks.
    /// - Returns: The result of `change`.
    /// - Throws: The error that `change` throws, or a ``StorageError`` if the new value cannot be written.
    ///   The value then stays unchanged. The file also stays unchanged, with one exception: if the system
    ///   fails to confirm the renaming of the new file, which is the last step, the next start may find the
    ///   change.
    @discardableResult
    public func update<Result: Sendable>(_ change: (inout Value) throws -> Result) throws -> Result {
        try update(change, notWritten: { $0 as any Error })
    }

    /// Changes the value as ``update(_:)`` does, on a thread of the system instead of the caller's: for callers
    /// that must not wait for the disk, such as the main actor.
    ///
    /// When this returns, the change is on disk. Cancelling the task does not cancel the update.
    ///
    /// - Parameter change: As in ``update(_:)``.
    /// - Returns: The result of `change`.
    /// - Throws: As ``update(_:)``.
    @discardableResult
    public func updateInBackground<Result: Sendable>(
        _ change: @escaping @Sendable (inout Value) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { answer in
            queue.async { answer.resume(with: Swift.Result { try self.update(change) }) }
        }
    }

    /// Changes the value as ``update(_:)`` does, but throws an error of the caller's own type.
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

    /// Changes the value like the other `update(orThrow:)`, with a `change` that cannot fail. (The compiler
    /// does not accept such a closure as one that throws `Failure`.)
    @discardableResult
    public func update<Result: Sendable, Failure: Error>(
        orThrow notSaved: (_ why: String) -> Failure, _ change: (inout Value) -> Result
    ) throws(Failure) -> Result {
        try update({ (value) throws(Failure) in change(&value) }, notWritten: { notSaved($0.description) })
    }

    private func update<Result: Sendable, Failure: Error>(
        _ change: (inout Value) throws(Failure) -> Result, notWritten: (StorageError) -> Failure
    ) throws(Failure) -> Result {
        try turn.withLock { (_) throws(Failure) in
            var new = value
            let result = try change(&new)
            do throws(StorageError) {
                let form = DocumentForm(name: name, version: version, path: files.path(name))
                try files.write(try form.data(of: new), name, protection: protection)
            } catch {
                throw notWritten(error)
            }
            current.withLock { [new] in $0 = new }
            return result
        }
    }

    /// The value's type and the version.
    public var description: String { "\(Value.self), version \(version)" }
}
