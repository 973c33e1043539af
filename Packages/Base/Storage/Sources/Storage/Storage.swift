import Foundation
import Locking

/// An app's persistent data: small versioned documents, each a file in one folder.
///
/// ```swift
/// let storage = try Storage(folder: folder)
/// let journeys = try storage.document("journeys", version: 1, default: [Trip]())
/// try journeys.update { $0.append(trip) }  // on disk when it returns
/// journeys.value                           // no disk
/// ```
///
/// Made for what fits into memory and changes at a person's pace: an update writes its whole document.
///
/// One process at a time has the folder, held by a lock on the file `.lock` in it, which the system frees
/// however the process ends. The folder is held until the storage and all its documents are gone.
///
/// A file that this app cannot read is never changed or lost: opening its document throws, or, on request, sets
/// the file aside (``Unreadable``).
///
/// All operations are safe from every thread. Those that throw wait for the disk.
public final class Storage: Sendable {
    /// What is done about a file that makes no value here: torn, damaged, foreign, of a newer version, or one that
    /// does not decode or migrate.
    ///
    /// A file whose bytes the system does not give (``StorageError/Code/unreadable``) is always refused: that
    /// passes, as with files that iOS keeps closed until the device is unlocked.
    public enum Unreadable: Sendable {
        /// Opening the document throws, and the file stays where it is.
        case refuse
        /// The file is renamed to `NAME.json.unreadable-1`, or the first number that is free, and the document
        /// begins with its default. ``Storage/setAside`` tells of it.
        case setAside
    }

    /// A file that was set aside, and why.
    public struct SetAside: Sendable {
        /// Where the file lies now.
        public let file: URL
        /// What was wrong with it.
        public let reason: StorageError
    }

    /// The place of one document, so that two who ask for it at once get the same.
    private final class Place: Sendable {
        let document = Locked((any Sendable)?.none)
    }

    private let files: any StorageFiles
    private let unreadable: Unreadable
    private let places = Locked([String: Place]())
    private let aside = Locked([SetAside]())

    /// The documents in a folder, which is made, readable for this user alone, when it is missing.
    ///
    /// - Throws: ``StorageError/Code/inUse`` when another process, or another storage of this one, has the
    ///   folder; ``StorageError/Code/noFolder`` when it cannot be made or used.
    public convenience init(folder: URL, unreadable: Unreadable = .refuse) throws(StorageError) {
        self.init(files: try FolderFiles(folder), unreadable: unreadable)
    }

    /// A storage that behaves like one with an empty folder and keeps nothing beyond its own life: for tests,
    /// and for apps that are to leave no trace.
    public static func inMemory() -> Storage { Storage(files: NoFiles(), unreadable: .refuse) }

    init(files: any StorageFiles, unreadable: Unreadable) {
        (self.files, self.unreadable) = (files, unreadable)
    }

    /// The folder, for what is no document and stands beside them, such as a log; nil in memory. Names that end in
    /// `.json` are the documents'.
    public var folder: URL? { files.home }

    /// What was set aside since this storage was opened, in that order. Empty with ``Unreadable/refuse``.
    public var setAside: [SetAside] { aside.withLock { $0 } }

    /// The document of that name; the same one however often it is asked for.
    ///
    /// A document that was never updated has no file, and its value is the default. A file that an older version
    /// wrote is migrated in memory, and written in the new form by the next update.
    ///
    /// - Parameters:
    ///   - name: Lower-case letters, digits and hyphens, as Apple's file systems do not tell cases apart.
    ///   - version: The version of `Value`'s form, 1 or higher. To be raised whenever files written before do
    ///     not decode any more, or would mean something else.
    ///   - default: The value when there is no file.
    ///   - migrations: One for each older version that may still lie on a disk. They must not open the document
    ///     that they migrate.
    /// - Throws: ``StorageError/Code/badName``; ``StorageError/Code/conflict`` when the document is open with
    ///   another type or version; and when there is a file that cannot be read, why: ``StorageError/Code``.
    public func document<Value: Codable & Sendable>(
        _ name: String, version: Int = 1, default: @autoclosure () -> Value,
        migrations: [Migration<Value>] = []
    ) throws(StorageError) -> Document<Value> {
        precondition(
            version >= 1 && migrations.allSatisfy { 1..<version ~= $0.version },
            "Storage: \(name) has version \(version) and a migration that is not from one of 1..<\(version).")
        guard StorageError.isGood(name: name) else { throw .badName(name) }
        let place = places.withLock { places in
            if let place = places[name] { return place }
            let place = Place()
            places[name] = place
            return place
        }
        return try place.document.withLock { (open) throws(StorageError) in
            if let open {
                guard let document = open as? Document<Value>, document.version == version else {
                    throw .conflict(
                        files.path(name), open: "\(open)", asked: "\(Value.self), version \(version)")
                }
                return document
            }
            let document = Document(
                name: name, version: version,
                value: try load(name, version, migrations) ?? `default`(), files: files)
            open = document
            return document
        }
    }

    /// The value in the file; nil when there is none, or none any more.
    private func load<Value: Codable & Sendable>(
        _ name: String, _ version: Int, _ migrations: [Migration<Value>]
    ) throws(StorageError) -> Value? {
        do throws(StorageError) {
            guard let data = try files.read(name) else { return nil }
            let form = DocumentForm(name: name, version: version, path: files.path(name))
            return try form.value(in: data, migrations: migrations)
        } catch {
            guard unreadable == .setAside, error.code != .unreadable else { throw error }
            let file = try files.setAside(name)
            aside.withLock { $0.append(SetAside(file: file, reason: error)) }
            return nil
        }
    }
}
