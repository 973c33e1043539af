import Foundation

/// Reserves a folder for one owner, with an advisory lock on the file `.lock` in the folder. The lock is released
/// when this object is freed or the process ends, even if the process crashes.
///
/// The file contains the owner's process ID, so that the error message of a rejected process can name the owner. The
/// file is never removed, because one process could then lock the removed file while another locks a new one.
final class FolderLock: Sendable {
    private let descriptor: CInt

    init(_ folder: URL) throws(StorageError) {
        let path = folder.appendingPathComponent(".lock").path
        // Without O_CLOEXEC, a program that this process starts would still hold the lock after this process ends.
        let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .noFolder(folder.path, "\(SystemFailure("open \(path)"))") }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let failure = SystemFailure("lock \(path)")
            close(file)
            guard failure.code == EWOULDBLOCK else { throw .noFolder(folder.path, "\(failure)") }
            throw .inUse(folder.path, by: Self.owner(path))
        }
        descriptor = file
        // The process ID is needed only for an error message, so a failure to write it is ignored.
        let owner = Array("\(getpid())\n".utf8)
        ftruncate(file, 0)
        _ = unsafe owner.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, 0) }
    }

    deinit {
        // A child process that has not reached exec yet still has a copy of the descriptor. Without LOCK_UN,
        // that copy would hold the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Describes the process that holds the lock, or held it a moment ago.
    private static func owner(_ path: String) -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let number = Int32(text.trimmingCharacters(in: .newlines))
        else { return nil }
        return number == getpid() ? "this process itself" : "process \(number)"
    }
}
