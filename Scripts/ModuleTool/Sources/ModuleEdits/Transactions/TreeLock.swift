import Foundation

/// Keeps other commands from editing the same tree until it goes away, or the process does.
struct TreeLock: ~Copyable {
    private let descriptor: Int32

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
        let path = root.appending(path: TransactionFiles.lock).path
        let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw Self.unwritable(root, because: PosixError(doing: path).description)
        }
        let lock = TreeLock(descriptor: descriptor)
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return lock }
        onWait()
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw Self.unwritable(root, because: PosixError(doing: path).description)
            }
        }
        return lock
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    private static func unwritable(_ root: URL, because reason: String) -> EditError {
        EditError(
            .environment, at: root.path, "the tree cannot be written to: \(reason).",
            mend: "See to the folder's permissions and free space, and run the command again.")
    }
}
