import Foundation

/// An advisory lock on a folder, held until this object is destroyed or the process ends, even if a signal kills it.
package final class FolderLock {
    private let descriptor: Int32

    /// Takes the lock, waiting while another process holds it.
    ///
    /// - Parameter onWait: Called once if the call has to wait.
    package init(_ folder: URL, onWait: () -> Void) throws {
        // Without O_CLOEXEC, child processes would inherit the descriptor and keep the lock.
        descriptor = unsafe open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        onWait()
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        }
    }

    deinit {
        // Unlock before closing: a child process that is just starting may still have a copy of the
        // descriptor, and the lock would last until that copy is closed.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
