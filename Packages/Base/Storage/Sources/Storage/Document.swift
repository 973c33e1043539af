import Locking

/// A value that outlives the process: in memory for reading, and on disk before a change counts.
///
/// Got from ``Storage/document(_:version:default:migrations:)``. All operations are safe from every thread.
public final class Document<Value: Codable & Sendable>: Sendable, CustomStringConvertible {
    /// The name in the storage.
    public let name: String

    /// The version of the value's form that updates write.
    public let version: Int

    private let current: Locked<Value>
    /// Held by who updates, so that readers need not wait for the disk.
    private let turn = Locked(())
    private let files: any StorageFiles

    init(name: String, version: Int, value: Value, files: any StorageFiles) {
        (self.name, self.version, self.files) = (name, version, files)
        current = Locked(value)
    }

    /// The value as it is on disk, or the default. Waits for no disk.
    public var value: Value { current.withLock { $0 } }

    /// Changes the value. Of several that update at once, one comes after the other and sees its change.
    ///
    /// The change is on disk, safe from a crash and a loss of power, when this returns; nobody sees it
    /// before. A crash at any moment leaves the file as it was or as it becomes, never in between.
    ///
    /// Waits for the disk. Complexity: linear in the size of the document.
    ///
    /// - Parameter change: Changes its argument. It may read ``value``, which is still the old one, and must not
    ///   update the same document, for whose turn it would wait for ever.
    /// - Returns: What `change` returns.
    /// - Throws: What `change` throws, or a ``StorageError`` when the new value cannot be written; in both cases
    ///   the value stays what it was. So does the file, unless the very last step fails, in which the system
    ///   confirms the file's new name: then the next start may find the change.
    @discardableResult
    public func update<Result: Sendable>(_ change: (inout Value) throws -> Result) throws -> Result {
        try update(change, notWritten: { $0 as any Error })
    }

    /// Changes the value as ``update(_:)`` does, for callers that throw errors of a type of their own.
    ///
    /// ```swift
    /// try journeys.update(orThrow: JourneyApiError.notSaved) { $0.append(journey) }
    /// ```
    ///
    /// - Parameters:
    ///   - notSaved: Makes the error for a value that cannot be written, of the ``StorageError``'s description.
    ///   - change: As with ``update(_:)``.
    /// - Returns: What `change` returns.
    /// - Throws: What `change` throws, as it is, or what `notSaved` makes.
    @discardableResult
    public func update<Result: Sendable, Failure: Error>(
        orThrow notSaved: (_ why: String) -> Failure, _ change: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try update(change, notWritten: { notSaved($0.description) })
    }

    /// The same for a change that cannot fail, which the compiler does not take for one that throws `Failure`.
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
                try files.write(try form.data(of: new), name)
            } catch {
                throw notWritten(error)
            }
            current.withLock { [new] in $0 = new }
            return result
        }
    }

    /// The type, the name and the version.
    public var description: String { "\(Value.self), version \(version)" }
}
