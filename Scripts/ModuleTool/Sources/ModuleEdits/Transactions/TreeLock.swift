import Foundation

/// Keeps other commands from editing the same tree until it goes away, or the process does.
struct TreeLock: ~Copyable {
    private let lock: FileLock

    /// Waits until no other command holds the tree.
    ///
    /// - Parameter onWait: Called once when another one does.
    /// - Throws: ``EditError`` when the tree cannot be written to.
    static func acquire(root: URL, onWait: () -> Void) throws(EditError) -> TreeLock {
        let folder = root.appending(path: TransactionFiles.folder)
        let ignore = folder.appending(path: ".gitignore")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // The folder hides itself from git in trees that do not list it.
            if !FileManager.default.fileExists(atPath: ignore.path) {
                try Data("*\n".utf8).write(to: ignore, options: .atomic)
            }
        } catch {
            throw Self.unwritable(root, because: "\(error.localizedDescription)")
        }
        do throws(PosixError) {
            let lock = try FileLock(
                root.appending(path: TransactionFiles.lock).path, flags: O_CREAT | O_RDWR)
            if try !lock.take(waiting: false) {
                onWait()
                _ = try lock.take(waiting: true)
            }
            return TreeLock(lock: lock)
        } catch {
            throw Self.unwritable(root, because: error.description)
        }
    }

    private init(lock: consuming FileLock) { self.lock = lock }

    private static func unwritable(_ root: URL, because reason: String) -> EditError {
        EditError(
            .environment, at: root.path, "the tree cannot be written to: \(reason).",
            mend: "See to the folder's permissions and free space, and run the command again.")
    }
}
