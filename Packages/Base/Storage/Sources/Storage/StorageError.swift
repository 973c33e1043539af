/// Reports that a ``Storage`` or a document cannot be opened, or that a change cannot be written.
///
/// The description names the path, the problem, its cause and the fix. An error leaves the file unchanged, except in
/// the case that ``Document/update(_:)`` describes.
public struct StorageError: Error, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// The folder cannot be created or used.
        case noFolder
        /// Another process, or another ``Storage`` of this process, is using the folder.
        case inUse
        /// The document's name is not valid on every file system.
        case badName
        /// The document is already open with another type or version.
        case conflict
        /// The system cannot read the file's bytes.
        case unreadable
        /// The file is not JSON: it is truncated, or was overwritten with other data.
        case torn
        /// The file is JSON, but does not belong to this document.
        case foreign
        /// The file does not match its checksum.
        case damaged
        /// A newer version of the app wrote the file.
        case newer
        /// An older version of the app wrote the file, and there is no migration from that version.
        case noMigration
        /// The version of the file is known, but the value cannot be decoded or migrated.
        case unfit
        /// The file could not be set aside.
        case notSetAside
        /// The change could not be written, and does not take effect.
        case notWritten
    }

    /// The kind of error.
    public let code: Code

    /// The path of the file or folder; for ``Code/badName``, the quoted name.
    public let path: String

    /// One line that names the path, the problem, its cause and the fix.
    public let description: String

    private init(_ code: Code, _ path: String, _ description: String) {
        (self.code, self.path, self.description) = (code, path, "\(path): \(description)")
    }
}

extension StorageError {
    static func isGood(name: String) -> Bool {
        name.utf8.allSatisfy { byte in "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains(byte) }
            && 1...64 ~= name.utf8.count
    }

    static func noFolder(_ path: String, _ why: String) -> StorageError {
        StorageError(
            .noFolder, path,
            "documents cannot be kept in this folder: \(why). The folder must be writable by this user, and on "
                + "a file system that supports locks. Choose another folder, or fix the permissions of this "
                + "folder.")
    }

    static func inUse(_ path: String, by owner: String?) -> StorageError {
        StorageError(
            .inUse, path,
            "\(owner ?? "another process") is using this folder. Two `Storage` objects would overwrite each other's "
                + "changes. Release or suspend the other one, share one `Storage` within a process, or choose another "
                + "folder.")
    }

    static func badName(_ name: String) -> StorageError {
        StorageError(
            .badName, name.debugDescription,
            "this is not a valid document name. It becomes a file name, which must be valid on every file "
                + "system. Use 1 to 64 lower-case letters (a-z), digits and hyphens.")
    }

    static func conflict(_ path: String, open: String, asked: String) -> StorageError {
        StorageError(
            .conflict, path,
            "this document is open as \(open), and was requested as \(asked). A document has only one type "
                + "and version. Use the same type and version in both places, or a different name.")
    }

    static func unreadable(_ path: String, _ why: String) -> StorageError {
        StorageError(
            .unreadable, path,
            "the system cannot read this file or secret: \(why) The value may still be intact. Try again later, fix the "
                + "permissions or the disk, or move the file away yourself.")
    }

    static func torn(_ path: String) -> StorageError {
        StorageError(
            .torn, path,
            "this file is not JSON: it is truncated, or was overwritten with other data. It may still contain "
                + "useful data. Restore the file from a backup, or \(Self.setAside)")
    }

    static func foreign(_ path: String, _ why: String) -> StorageError {
        StorageError(
            .foreign, path,
            "this file does not belong to this document: \(why). Overwriting it would destroy other data. Move "
                + "the file to where it belongs, or \(Self.setAside)")
    }

    static func damaged(_ path: String) -> StorageError {
        StorageError(
            .damaged, path,
            "this file does not match its checksum. The disk damaged it or an editor changed it, so its value "
                + "may be wrong. Restore the file from a backup, or \(Self.setAside)")
    }

    static func newer(_ path: String, found: Int, known: Int) -> StorageError {
        StorageError(
            .newer, path,
            "this file has version \(found), and this app knows versions up to \(known). An older app would "
                + "lose data that a newer one saved. Update the app, or \(Self.setAside)")
    }

    static func noMigration(_ path: String, from found: Int, to known: Int) -> StorageError {
        StorageError(
            .noMigration, path,
            "this file has version \(found), and this app has no migration from it to version \(known). "
                + "The app cannot guess what the old value means. Add Migration(from: \(found)) where the document "
                + "is opened, or \(Self.setAside)")
    }

    static func unfit(_ path: String, version: Int, type: String, _ why: String) -> StorageError {
        StorageError(
            .unfit, path,
            "the version \(version) value in this file cannot be read as \(type): \(why). Either the type "
                + "has changed without a new version, or the migration fails. Raise the version and add a "
                + "migration, or \(Self.setAside)")
    }

    static func notSetAside(_ path: String, _ why: String) -> StorageError {
        StorageError(
            .notSetAside, path,
            "this file can neither be read nor set aside: \(why). It is kept rather than overwritten. Fix the "
                + "permissions of the folder, or move the file yourself.")
    }

    static func notWritten(_ path: String, _ why: String) -> StorageError {
        StorageError(
            .notWritten, path,
            "the change was not saved: \(why). A change takes effect only when it is on disk, so the value is "
                + "unchanged. Fix the cause and try again.")
    }

    private static var setAside: String {
        "open the storage with `unreadable: .setAside`, which keeps the file under another name and starts "
            + "with the default."
    }
}
