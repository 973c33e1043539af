import Foundation

/// An advisory lock on a file or a folder: held from ``take(waiting:)`` until this goes away or the process ends,
/// however that happens.
package struct FileLock: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// Opens what is to be locked. It is not locked yet.
    ///
    /// - Parameter flags: How to open it, as for `open`.
    /// - Throws: ``PosixError`` when it cannot be opened.
    package init(_ path: String, flags: Int32) throws(PosixError) {
        // Closed in the programs that this process starts, which else would hold the lock after its end.
        descriptor = unsafe open(path, flags | O_CLOEXEC, 0o644)
        self.path = path
        guard descriptor >= 0 else { throw PosixError(doing: path) }
    }

    /// Takes the lock.
    ///
    /// - Parameter waiting: Whether to wait until nobody else has it.
    /// - Returns: Whether it was taken. It always is after waiting.
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
        // A program that is just being started still has a copy of the descriptor, and closing ours would leave
        // the lock with it.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
