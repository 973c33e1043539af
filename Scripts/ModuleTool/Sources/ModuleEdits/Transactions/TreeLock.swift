import Foundation

/// A lock that keeps other commands from editing the tree until this value is destroyed or the process ends.
struct TreeLock: ~Copyable {
    private let lock: FileLock

    /// Takes the lock, and waits while another command holds it.
    ///
    /// - Parameter onWait: Called once if the call has to wait.
    /// - Throws: ``EditError`` when the tree cannot be written to.
    static func acquire(root: URL, onWait: () -> Void) throws(EditError) -> TreeLock {
        let folder = root.appending(path: TransactionFiles.folder)
        let ignore = folder.appending(path: ".gitignore")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // Hides the folder from git in trees whose own .gitignore does not list it.
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
            fix: "Check the folder's permissions and the free disk space, and run the command again.")
    }
}
