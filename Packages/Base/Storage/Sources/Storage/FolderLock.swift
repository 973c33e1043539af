import Foundation

/// Holds a folder for one owner, by an advisory lock on the file `.lock` in it, until it is let go of or its
/// process ends, however that happens.
///
/// The file holds its owner's process number, for who is refused. It stays: to remove it would let a second
/// owner lock a new file of that name while somebody still waits for the old one.
final class FolderLock: Sendable {
    private let descriptor: CInt

    init(_ folder: URL) throws(StorageError) {
        let path = folder.appendingPathComponent(".lock").path
        // Closed in the programs that this process starts, which else would hold the lock after its end.
        let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .noFolder(folder.path, "\(SystemFailure("open \(path)"))") }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let failure = SystemFailure("lock \(path)")
            close(file)
            guard failure.code == EWOULDBLOCK else { throw .noFolder(folder.path, "\(failure)") }
            throw .inUse(folder.path, by: Self.owner(path))
        }
        descriptor = file
        // Only for whoever is refused: where it cannot be written, they are told no number.
        let owner = Array("\(getpid())\n".utf8)
        ftruncate(file, 0)
        _ = unsafe owner.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, 0) }
    }

    deinit {
        // A program that is just being started still has a copy of the descriptor, and closing ours would leave
        // the lock with it.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Who holds the lock, or held it a moment ago.
    private static func owner(_ path: String) -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let number = Int32(text.trimmingCharacters(in: .newlines))
        else { return nil }
        return number == getpid() ? "this process itself" : "process \(number)"
    }
}
