/// Why a storage or a document cannot be opened, or a change not be kept. The description is for a person:
/// where, what, why and how to mend it.
///
/// The file that it is about was not changed.
public struct StorageError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// The folder cannot be made, or not be used.
        case noFolder
        /// Another process, or another storage of this one, has the folder.
        case inUse
        /// The document's name is none that every file system takes.
        case badName
        /// The document is open with another type or version.
        case conflict
        /// The system does not give the file's bytes.
        case unreadable
        /// The file is no JSON: it was cut off, or something else was written there.
        case torn
        /// The file is JSON, and not of this document.
        case foreign
        /// The file is not as it was written.
        case damaged
        /// A newer version of the app wrote the file.
        case newer
        /// An older version of the app wrote the file, and there is no migration from that one.
        case noMigration
        /// The file is of a known version, and its value does not decode or migrate.
        case unfit
        /// The file could not be set aside.
        case notSetAside
        /// The change could not be written, and does not count.
        case notWritten
    }

    /// What is wrong.
    public let code: Code

    /// The file or folder.
    public let path: String

    /// Where, what, why and how to mend it, in one line.
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
            "documents cannot be kept in this folder: \(why). They are files in a folder that this user may "
                + "write in, on a file system with locks. Choose another folder, or mend this one's "
                + "permissions.")
    }

    static func inUse(_ path: String, by owner: String?) -> StorageError {
        StorageError(
            .inUse, path,
            "\(owner ?? "another process") has this folder. Two would overwrite each other's changes. End that "
                + "one, share its storage, or choose another folder.")
    }

    static func badName(_ name: String) -> StorageError {
        StorageError(
            .badName, name.debugDescription,
            "this is no name of a document. It becomes a file's name, which has to be the same everywhere. Use "
                + "1 to 64 lower-case letters (a-z), digits and hyphens.")
    }

    static func conflict(_ path: String, open: String, asked: String) -> StorageError {
        StorageError(
            .conflict, path,
            "this document is open as \(open), and was asked for as \(asked). A file holds one value. Use the "
                + "same type and version in both places, or another name.")
    }

    static func unreadable(_ path: String, _ why: String) -> StorageError {
        StorageError(
            .unreadable, path,
            "the system does not give this file: \(why) Its value is not known to be lost. Try again later, mend "
                + "its permissions or its disk, or move it away yourself.")
    }

    static func torn(_ path: String) -> StorageError {
        StorageError(
            .torn, path,
            "this file is not JSON: it is cut off, or something else was written there. It may still be worth "
                + "something. Put a copy of the file back, or \(Self.setAside)")
    }

    static func foreign(_ path: String, _ why: String) -> StorageError {
        StorageError(
            .foreign, path,
            "this file is not this document's: \(why). Writing here would destroy what is another's. Move the "
                + "file to where it belongs, or \(Self.setAside)")
    }

    static func damaged(_ path: String) -> StorageError {
        StorageError(
            .damaged, path,
            "this file is not as it was written: its checksum is another. The disk damaged it or an editor "
                + "changed it, and its value may be wrong. Put a copy of the file back, or \(Self.setAside)")
    }

    static func newer(_ path: String, found: Int, known: Int) -> StorageError {
        StorageError(
            .newer, path,
            "this file is of version \(found), and this app knows versions up to \(known). An older app would "
                + "lose what a newer one kept. Update the app, or \(Self.setAside)")
    }

    static func noMigration(_ path: String, from found: Int, to known: Int) -> StorageError {
        StorageError(
            .noMigration, path,
            "this file is of version \(found), and this app has no migration from there to version \(known). "
                + "It cannot guess what the old value means. Add Migration(from: \(found)) where the document "
                + "is opened, or \(Self.setAside)")
    }

    static func unfit(_ path: String, version: Int, type: String, _ why: String) -> StorageError {
        StorageError(
            .unfit, path,
            "the value in this file, of version \(version), does not become \(type): \(why). Either the type "
                + "has changed and its version was not raised, or the migration fails. Raise the version and "
                + "add a migration, or \(Self.setAside)")
    }

    static func notSetAside(_ path: String, _ why: String) -> StorageError {
        StorageError(
            .notSetAside, path,
            "this file cannot be read, nor be set aside: \(why). It is kept rather than written over. Mend the "
                + "folder's permissions, or move the file yourself.")
    }

    static func notWritten(_ path: String, _ why: String) -> StorageError {
        StorageError(
            .notWritten, path,
            "the change was not kept: \(why). A change counts only when it is on disk, so the value is what it "
                + "was before. Mend that and try again.")
    }

    private static var setAside: String {
        "open the storage with `unreadable: .setAside`, which keeps the file under another name and begins "
            + "with the default."
    }
}
