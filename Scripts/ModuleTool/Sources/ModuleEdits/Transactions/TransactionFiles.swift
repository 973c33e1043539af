import Foundation

/// The file operations of a transaction. Each operation is durable, or harmless when interrupted.
///
/// A hook runs before each operation and within each write, so that tests can stop at any of these points.
struct TransactionFiles {
    /// Thrown from a test's hook to stop without any cleanup, as SIGKILL would.
    struct Killed: Error {}

    static let folder = ".modules"
    static let journal = folder + "/journal"
    static let newJournal = folder + "/journal.new"
    static let trash = folder + "/trash"
    static let lock = folder + "/lock"

    let root: URL
    let beforeStep: (String) throws -> Void

    init(root: URL, beforeStep: @escaping (String) throws -> Void = { _ in }) {
        (self.root, self.beforeStep) = (root, beforeStep)
    }

    private func url(_ path: String) -> URL { root.appending(path: path) }

    /// The contents of a file, or nil when it does not exist.
    func contents(_ path: String) throws -> Data? {
        do {
            return try Data(contentsOf: url(path))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        }
    }

    /// Whether a file, folder or symbolic link exists, including a dangling link.
    func exists(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: url(path).path)) != nil
    }

    /// The permissions of a file, or the default for a file that does not exist.
    func permissions(_ path: String) -> UInt16 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url(path).path)
        return (attributes?[.posixPermissions] as? NSNumber)?.uint16Value ?? 0o644
    }

    /// The temporary path for writing a file. It is in the same folder, so that the final move is atomic.
    static func temporary(for path: String) -> String {
        var parts = path.split(separator: "/").map(String.init)
        let name = parts.popLast() ?? path
        return (parts + [".\(name).modules-new"]).joined(separator: "/")
    }

    /// Writes a file atomically: into a temporary file, which is flushed to disk and then moved to `path`.
    func write(_ data: Data, to path: String, permissions: UInt16 = 0o644, by way: String? = nil) throws {
        let temporary = way ?? Self.temporary(for: path)
        try beforeStep("write \(temporary)")
        try makeFolder(parent(of: path))
        guard FileManager.default.createFile(atPath: url(temporary).path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url(temporary).path])
        }
        let handle = try FileHandle(forWritingTo: url(temporary))
        do {
            defer { try? handle.close() }
            try handle.write(contentsOf: data.prefix(data.count / 2))
            try beforeStep("write the rest of \(temporary)")
            try handle.write(contentsOf: data.dropFirst(data.count / 2))
            try handle.synchronize()
        }
        try FileManager.default.setAttributes(
            [.posixPermissions: NSNumber(value: permissions)], ofItemAtPath: url(temporary).path)
        try move(temporary, to: path)
    }

    /// Atomically moves a file or folder within the same volume, replacing a file at `target`.
    func move(_ path: String, to target: String) throws {
        try beforeStep("move \(path) to \(target)")
        let status = unsafe rename(url(path).path, url(target).path)
        guard status == 0 else { throw PosixError(doing: "moving \(path) to \(target)") }
    }

    func remove(_ path: String) throws {
        guard exists(path) else { return }
        try beforeStep("remove \(path)")
        try FileManager.default.removeItem(at: url(path))
    }

    func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(at: url(path), withIntermediateDirectories: true)
    }

    /// Removes a folder if it exists and is empty.
    func removeFolderIfEmpty(_ path: String) throws {
        try beforeStep("remove the empty folder \(path)")
        let status = unsafe rmdir(url(path).path)
        guard status == 0 || [ENOTEMPTY, EEXIST, ENOENT, ENOTDIR].contains(errno) else {
            throw PosixError(doing: "removing \(path)")
        }
    }

    /// Flushes the entries of folders to disk, so that moves in and out of them survive a power failure.
    func sync(folders: Set<String>) throws {
        for folder in folders.sorted() where exists(folder) || folder.isEmpty {
            try beforeStep("sync \(folder)")
            let descriptor = unsafe open(url(folder).path, O_RDONLY)
            guard descriptor >= 0 else { throw PosixError(doing: "opening \(folder)") }
            defer { close(descriptor) }
            // Some file systems cannot sync a folder and return EINVAL, which is ignored.
            guard fsync(descriptor) == 0 || errno == EINVAL else {
                throw PosixError(doing: "syncing \(folder)")
            }
        }
    }

    /// The folder that contains a path; empty for the root.
    func parent(of path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }
}

/// The error of a failed system call.
package struct PosixError: Error, CustomStringConvertible {
    let code = errno
    let doing: String

    init(doing: String) { self.doing = doing }

    package var description: String {
        "\(doing): \(String(describing: POSIXErrorCode(rawValue: code))) (\(code))"
    }
}
