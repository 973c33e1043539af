import Foundation

/// An advisory lock on a file or a folder, held from ``take(waiting:)`` until this value is destroyed or the
/// process ends, even by a signal.
package struct FileLock: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// Opens the file or folder, without locking it.
    ///
    /// - Parameter flags: The flags for `open`.
    /// - Throws: ``PosixError`` when the file or folder cannot be opened.
    package init(_ path: String, flags: Int32) throws(PosixError) {
        // Without O_CLOEXEC, child processes would inherit the descriptor and keep the lock.
        descriptor = unsafe open(path, flags | O_CLOEXEC, 0o644)
        self.path = path
        guard descriptor >= 0 else { throw PosixError(doing: path) }
    }

    /// Takes the lock.
    ///
    /// - Parameter waiting: Whether to wait while another process holds the lock.
    /// - Returns: Whether the lock was taken; always true with `waiting`.
    /// - Throws: ``PosixError`` when waiting fails.
    package func take(waiting: Bool) throws(PosixError) -> Bool {
        guard waiting else { return flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw PosixError(doing: path) }
        }
        return true
    }

    deinit {
        guard descriptor >= 0 else { return }
        // Unlock before closing: a child process that is just starting may still have a copy of the
        // descriptor, and the lock would last until that copy is closed.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
