import Foundation

/// The file operations that a transaction consists of, each of them durable or harmless when cut short.
///
/// A hook sees each one coming, so that tests can stop the work between any two, and in the middle of a write.
struct TransactionFiles {
    /// What a test throws from the hook to stop the work as a kill would: nothing is cleaned up.
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

    /// The contents of a file, or nil when there is none.
    func contents(_ path: String) throws -> Data? {
        do {
            return try Data(contentsOf: url(path))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        }
    }

    /// Whether something is there, a symbolic link to nowhere included.
    func exists(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: url(path).path)) != nil
    }

    /// The permissions of a file, or those of a new one.
    func permissions(_ path: String) -> UInt16 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url(path).path)
        return (attributes?[.posixPermissions] as? NSNumber)?.uint16Value ?? 0o644
    }

    /// The part of `path` that a new file waits in. It is beside its place, so that moving it is one step.
    static func temporary(for path: String) -> String {
        var parts = path.split(separator: "/").map(String.init)
        let name = parts.popLast() ?? path
        return (parts + [".\(name).modules-new"]).joined(separator: "/")
    }

    /// Puts a file in its place: written beside it, synced, then moved there.
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

    /// Moves a file or folder to a place on the same volume, replacing a file there, in one step.
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

    /// Removes a folder if it is there and empty.
    func removeFolderIfEmpty(_ path: String) throws {
        try beforeStep("remove the empty folder \(path)")
        let status = unsafe rmdir(url(path).path)
        guard status == 0 || [ENOTEMPTY, EEXIST, ENOENT, ENOTDIR].contains(errno) else {
            throw PosixError(doing: "removing \(path)")
        }
    }

    /// Makes what was moved in and out of folders last through a power cut.
    func sync(folders: Set<String>) throws {
        for folder in folders.sorted() where exists(folder) || folder.isEmpty {
            try beforeStep("sync \(folder)")
            let descriptor = unsafe open(url(folder).path, O_RDONLY)
            guard descriptor >= 0 else { throw PosixError(doing: "opening \(folder)") }
            defer { close(descriptor) }
            // Some file systems cannot sync a folder, and say so; there is no more to do then.
            guard fsync(descriptor) == 0 || errno == EINVAL else {
                throw PosixError(doing: "syncing \(folder)")
            }
        }
    }

    /// The folder that a path is in; empty for the root.
    func parent(of path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }
}

/// What the system said when a call failed.
package struct PosixError: Error, CustomStringConvertible {
    let code = errno
    let doing: String

    init(doing: String) { self.doing = doing }

    package var description: String {
        "\(doing): \(String(describing: POSIXErrorCode(rawValue: code))) (\(code))"
    }
}
