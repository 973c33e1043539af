import Foundation
import Locking

/// An app's persistent data: small versioned documents, each a file in one folder.
///
/// ```swift
/// let storage = try Storage(folder: folder)
/// let journeys = try storage.document("journeys", version: 1, default: [Trip]())
/// try journeys.update { $0.append(trip) }  // on disk when it returns
/// journeys.value                           // from memory
/// ```
///
/// Use this class for data that fits into memory and changes only on user actions, because every update
/// writes its whole document.
///
/// Only one process at a time can use the folder. That process holds a lock on the file `.lock` in the folder
/// until the storage, its documents and its secrets are freed; the system releases the lock even if
/// the process crashes. An app whose folder is in an app group calls ``suspend()`` when it goes to the background.
///
/// A file that this app cannot read is never changed or lost: opening its document throws or, on request,
/// sets the file aside (``Unreadable``).
///
/// All operations are thread-safe. The throwing operations block the thread until the disk responds.
public final class Storage: Sendable {
    /// How to treat a file that this app cannot read because the file is truncated or damaged, belongs to
    /// another document, was written by a newer version, or cannot be decoded or migrated.
    ///
    /// If the system cannot read the file's bytes (``StorageError/Code/unreadable``), opening always throws,
    /// because the cause may be temporary. For example, iOS denies access to protected files until the device
    /// is unlocked.
    public enum Unreadable: Sendable {
        /// Opening the document throws, and the file stays where it is.
        case refuse
        /// The file is renamed to `NAME.json.unreadable-1`, or with the first free number, and the document
        /// starts with its default value. ``Storage/setAside`` lists the file.
        case setAside
    }

    /// A file that was set aside, and the reason.
    public struct SetAside: Sendable {
        /// The new location of the file.
        public let file: URL
        /// Why the file could not be read.
        public let reason: StorageError
    }

    /// Holds one document, so that concurrent calls to open the document return the same object.
    private final class Place: Sendable {
        let document = Locked((any OpenDocument)?.none)
    }

    let shared: DocumentFiles
    private let places = Locked([String: Place]())

    /// The store for the app's secrets, such as tokens and passwords, which never belong in a document.
    public let secrets: any Secrets

    /// Opens the storage in a folder. If the folder is missing, it is created, and only this user can access it.
    ///
    /// - Parameters:
    ///   - folder: The folder that holds the documents.
    ///   - unreadable: How to treat files that this app cannot read.
    ///   - secrets: The store for secrets. The default is the Keychain, under the app's identifier and the folder's
    ///     name; on systems without a Keychain, secrets are files in the subfolder `secrets`. If two folders of one
    ///     app have the same last path component, they share their secrets in the Keychain. An app extension has its
    ///     own identifier, so it must pass `secrets` explicitly to use the secrets of its app.
    /// - Throws: ``StorageError/Code/inUse`` if another process, or another ``Storage`` of this process, is
    ///   using the folder; ``StorageError/Code/noFolder`` if the folder cannot be created or used.
    public convenience init(
        folder: URL, unreadable: Unreadable = .refuse, secrets: (any Secrets)? = nil
    ) throws(StorageError) {
        self.init(
            files: try FolderFiles(folder), unreadable: unreadable,
            secrets: secrets ?? Self.systemSecrets(folder))
    }

    private static func systemSecrets(_ folder: URL) -> any Secrets {
        #if canImport(Security)
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return KeychainSecrets(service: "\(app).\(folder.lastPathComponent)")
        #else
        return FileSecrets(folder: folder.appending(path: "secrets", directoryHint: .isDirectory))
        #endif
    }

    /// Creates a ``Storage`` that behaves like one with an empty folder, and keeps its documents and secrets
    /// in memory only: for tests, and for apps that must leave no data on disk.
    public static func inMemory() -> Storage { Storage(files: NoFiles(), unreadable: .refuse) }

    init(files: any StorageFiles, unreadable: Unreadable, secrets: any Secrets = InMemorySecrets()) {
        shared = DocumentFiles(files, unreadable: unreadable)
        self.secrets = SecretsUnderLock(secrets: secrets, files: files)
    }

    /// The folder, for other files that the app stores beside the documents, such as a log; nil for an in-memory
    /// storage. Names that end in `.json` are reserved for documents.
    public var folder: URL? { shared.files.home }

    /// The files that were set aside since this storage was opened, oldest first. Always empty with
    /// ``Unreadable/refuse``.
    public var setAside: [SetAside] { shared.setAside.withLock { $0 } }

    /// Opens the document with this name. Every call returns the same object.
    ///
    /// A document that was never updated has no file, and its value is the default. A file from an older version of
    /// the app is migrated in memory, and the next update writes it in the new format.
    ///
    /// - Parameters:
    ///   - name: 1 to 64 lower-case letters (a-z), digits and hyphens. Capitals are excluded, because the
    ///     file systems of Apple's platforms do not distinguish case.
    ///   - version: The version of `Value`'s format, 1 or higher. Raise it whenever existing files would no
    ///     longer decode, or would decode with another meaning.
    ///   - default: The value if there is no file.
    ///   - migrations: One migration for each older version that may still exist on a user's disk. A migration must not
    ///     open the document that it migrates.
    ///   - protection: The protection of the file while the device is locked, on Apple platforms; nil for the
    ///     app's default. Only the protection passed in the first call for a document counts; the next update
    ///     applies it.
    /// - Throws: ``StorageError/Code/badName``; ``StorageError/Code/conflict`` if the document is open with another
    ///   type or version; ``StorageError/Code/inUse`` if the storage is suspended and another process is using the
    ///   folder; otherwise a ``StorageError`` that says why the file cannot be read.
    public func document<Value: Codable & Sendable>(
        _ name: String, version: Int = 1, default: @autoclosure () -> Value,
        migrations: [Migration<Value>] = [], protection: FileProtectionType? = nil
    ) throws(StorageError) -> Document<Value> {
        precondition(
            version >= 1 && migrations.allSatisfy { 1..<version ~= $0.version },
            """
            Storage: \(name) has version \(version). Versions start at 1, and migrations convert from versions \
            lower than the document's.
            """)
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
                        shared.files.path(name), open: "\(open)", asked: "\(Value.self), version \(version)")
                }
                return document
            }
            let document = try Document(
                DocumentFile(
                    name: name, version: version, initial: `default`(), migrations: migrations,
                    protection: protection, shared: shared))
            open = document
            return document
        }
    }

    /// Releases the folder's lock until ``resume()``, so that another process may use the folder. An app calls this
    /// method when it goes to the background.
    ///
    /// iOS terminates a suspended app that holds a file lock in the folder of an app group (exception code
    /// `0xdead10cc`). The app must stay awake until this method returns: use `beginBackgroundTask` or
    /// `performExpiringActivity`.
    ///
    /// While suspended, the storage remains usable. To update a document, open one, or change a secret, the storage
    /// takes the lock only for the duration of the operation. An update first reloads the document if another process
    /// has changed its file. While another process holds the lock, these operations throw
    /// ``StorageError/Code/inUse`` and change nothing.
    ///
    /// Returns when the running operations have ended and the lock is released. If ``resume()`` is called
    /// before that, the storage keeps the lock.
    ///
    /// Source: Apple, "Understanding the exception types in a crash report":
    /// https://developer.apple.com/documentation/xcode/understanding-the-exception-types-in-a-crash-report
    public func suspend() async { await shared.files.lock?.suspend() }

    /// Takes the folder's lock again, and reloads the open documents that another process has changed. Does
    /// nothing if the storage is not suspended.
    ///
    /// Do not call this method inside an update.
    ///
    /// - Throws: ``StorageError/Code/inUse`` or ``StorageError/Code/noFolder`` if the lock cannot be taken;
    ///   the storage then stays suspended. Otherwise the ``StorageError`` of the first document that cannot
    ///   be read. Such a document keeps its value, and its updates throw until its file can be read.
    public func resume() throws(StorageError) {
        try shared.files.lock?.resume()
        var failure: StorageError?
        for place in places.withLock({ Array($0.values) }) {
            do throws(StorageError) {
                try place.document.withLock { $0 }?.reload()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}
