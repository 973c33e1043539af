import Foundation

/// The error of a failed system call.
struct SystemFailure: Error, CustomStringConvertible {
    let code: CInt
    let call: String

    /// Creates the error for the call that has just failed.
    init(_ call: String, code: CInt = errno) { (self.code, self.call) = (code, call) }

    var description: String {
        "could not \(call): \(unsafe String(cString: strerror(code))) (errno \(code))"
    }
}

/// Operations on files and folders. Unless noted otherwise, a change is durable when the operation returns.
enum DurableFile {
    /// Atomically replaces a file: writes a temporary file `NAME.writing`, and renames it to `NAME`.
    ///
    /// A crash may leave the temporary file behind. The next call overwrites it, so calls for the same file must
    /// not overlap.
    static func replace(
        _ file: URL, with data: Data, protection: FileProtectionType? = nil
    ) throws(SystemFailure) {
        let beside = file.appendingPathExtension("writing")
        do throws(SystemFailure) {
            try write(data, to: beside)
            if let protection { try FileProtection.set(protection, of: beside) }
            try rename(beside, to: file)
        } catch {
            removeIfThere(beside)
            throw error
        }
        try sync(folder: file.deletingLastPathComponent())
    }

    /// Creates or overwrites a file that only this user can access. Its bytes reach the disk before any later write;
    /// they are durable only after ``sync(folder:)``.
    private static func write(_ data: Data, to url: URL) throws(SystemFailure) {
        let path = url.path
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw SystemFailure("open \(path)") }
        defer { close(file) }
        var rest = data
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Foundation.write(file, $0.baseAddress, $0.count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw SystemFailure("write \(path)") }
            rest = rest.dropFirst(count)
        }
        try check(DiskFlush.ordered(file), path)
    }

    /// Atomically moves a file to `target`, replacing an existing file. Durable only after ``sync(folder:)``.
    static func rename(_ file: URL, to target: URL) throws(SystemFailure) {
        guard unsafe Foundation.rename(file.path, target.path) == 0 else {
            throw SystemFailure("rename \(file.path) to \(target.lastPathComponent)")
        }
    }

    /// Flushes a folder's entries to disk. Files flushed earlier with ``DiskFlush/ordered(_:)`` become durable too.
    static func sync(folder: URL) throws(SystemFailure) {
        let path = folder.path
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure("open \(path)") }
        defer { close(descriptor) }
        do throws(SystemFailure) {
            try check(DiskFlush.durable(descriptor), path)
        } catch {
            // Some file systems cannot flush a folder and return one of these errors.
            guard error.code == EINVAL || error.code == ENOTSUP else { throw error }
        }
    }

    /// Creates a folder and its missing parent folders.
    static func makeFolder(_ folder: URL) throws(SystemFailure) {
        guard unsafe mkdir(folder.path, 0o700) != 0 else {
            return try sync(folder: folder.deletingLastPathComponent())
        }
        let failure = SystemFailure("create the folder \(folder.path)")
        let parent = folder.deletingLastPathComponent()
        switch failure.code {
        case EEXIST: return  // If this is not a folder, opening its lock fails.
        case ENOENT where parent != folder && !isThere(parent):
            try makeFolder(parent)
            try makeFolder(folder)
        default: throw failure
        }
    }

    /// Whether a file, a folder or a link (even a dangling link) exists at this location.
    static func isThere(_ url: URL) -> Bool {
        var info = stat()
        return unsafe lstat(url.path, &info) == 0
    }

    /// Removes a file. Durable only after ``sync(folder:)``.
    static func remove(_ file: URL) throws(SystemFailure) {
        guard unsafe unlink(file.path) == 0 else { throw SystemFailure("remove \(file.path)") }
    }

    /// Removes a file if it exists. Ignores errors.
    static func removeIfThere(_ url: URL) { _ = unsafe unlink(url.path) }

    private static func check(_ code: CInt, _ path: String) throws(SystemFailure) {
        guard code == 0 else { throw SystemFailure("flush \(path) to disk", code: code) }
    }
}
