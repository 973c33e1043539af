import Foundation

/// What a system call said when it failed.
struct SystemFailure: Error, CustomStringConvertible {
    let code: CInt
    let call: String

    /// The failure of the call that was made just before.
    init(_ call: String, code: CInt = errno) { (self.code, self.call) = (code, call) }

    var description: String {
        "could not \(call): \(unsafe String(cString: strerror(code))) (errno \(code))"
    }
}

/// Changes of files and folders that are on disk when the call returns.
enum DurableFile {
    /// Writes a file anew.
    static func write(_ data: Data, to url: URL) throws(SystemFailure) {
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
        try sync(file, path)
    }

    /// Moves a file over what stands at `target`, at one stroke. On disk only after ``sync(folder:)``.
    static func rename(_ file: URL, to target: URL) throws(SystemFailure) {
        guard unsafe Foundation.rename(file.path, target.path) == 0 else {
            throw SystemFailure("rename \(file.path) to \(target.lastPathComponent)")
        }
    }

    /// Makes sure of the names in a folder.
    static func sync(folder: URL) throws(SystemFailure) {
        let path = folder.path
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure("open \(path)") }
        defer { close(descriptor) }
        do throws(SystemFailure) {
            try sync(descriptor, path)
        } catch {
            // Some file systems have nothing to confirm for a folder, and say so.
            guard error.code == EINVAL || error.code == ENOTSUP else { throw error }
        }
    }

    /// Makes a folder, and those that it lies in, where they are missing.
    static func makeFolder(_ folder: URL) throws(SystemFailure) {
        guard unsafe mkdir(folder.path, 0o700) != 0 else {
            return try sync(folder: folder.deletingLastPathComponent())
        }
        let failure = SystemFailure("make the folder \(folder.path)")
        let parent = folder.deletingLastPathComponent()
        switch failure.code {
        case EEXIST: return  // What else may stand there is met when its lock is opened.
        case ENOENT where parent != folder && !isThere(parent):
            try makeFolder(parent)
            try makeFolder(folder)
        default: throw failure
        }
    }

    /// Whether the name is taken, by a link that leads nowhere too.
    static func isThere(_ url: URL) -> Bool {
        var info = stat()
        return unsafe lstat(url.path, &info) == 0
    }

    /// Removes a file that may be gone already; what cannot be removed stays.
    static func removeIfThere(_ url: URL) { _ = unsafe unlink(url.path) }

    private static func sync(_ descriptor: CInt, _ path: String) throws(SystemFailure) {
        #if canImport(Darwin)
        // There fsync leaves the bytes in the drive's cache. Not every file system has the stronger call.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { throw SystemFailure("confirm \(path) to be on disk") }
        }
    }
}
