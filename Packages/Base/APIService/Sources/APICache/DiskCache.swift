import APITransport
import Digests
import Foundation
import Locking

/// Stores responses in files. Each user has a folder, and each key has a file.
///
/// A file is written under a temporary name and then renamed, so a reader never sees a truncated file. Several
/// processes may share the folder: every operation tolerates missing files, and a sweep counts the files of all
/// processes. A failing disk causes cache misses, never errors.
///
/// A serial queue writes the changes in order. Until a change is written, ``entry(for:)`` returns the pending response
/// from memory.
///
/// All operations are thread-safe.
final class DiskCache: Sendable {
    /// The pending change of a key.
    private struct Pending {
        /// Only the job with this number writes the change.
        var number: Int
        /// The response to write; `nil` removes the key's file.
        var entry: APICacheEntry?
    }

    private struct State {
        var pending: [APICacheKey: Pending] = [:]
        /// The number of the last change.
        var next = 0
        /// The URLs whose responses are being removed, with the numbers of the removals.
        var removals: [String: Int] = [:]
        /// The approximate size of the files; `nil` before the first sweep.
        var size: Int?
        var writesSinceSweep = 0

        /// Returns the number of a new change, which no other change has.
        mutating func newNumber() -> Int {
            next += 1
            return next
        }
    }

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "APIService.DiskCache", qos: .utility)
    private let folder: URL
    private let limit: Int
    private let now: @Sendable () -> Date

    /// A temporary file is kept for this many seconds, because another process may still be writing it.
    private static let writingTime: TimeInterval = 600
    private static let sweepEvery = 256

    /// - Parameters:
    ///   - folder: The folder for the files. Created by the first write.
    ///   - limit: The maximum size of all files after a sweep, in bytes.
    init(folder: URL, limit: Int, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.folder, self.limit, self.now) = (folder, limit, now)
    }

    func entry(for key: APICacheKey) -> APICacheEntry? {
        let (pending, isRemoved) = state.withLock { ($0.pending[key], $0.removals[key.location] != nil) }
        if let pending { return pending.entry }
        if isRemoved { return nil }
        return (try? Data(contentsOf: file(key))).flatMap { CacheFile.entry($0, for: key) }
    }

    func store(_ entry: APICacheEntry, for key: APICacheKey) { enqueue(key, entry) }

    func remove(_ key: APICacheKey) { enqueue(key, nil) }

    /// Removes a user's responses. No lookup finds them once this method has returned.
    func removeAll(partition: String) {
        state.withLock { state in
            state.pending = state.pending.filter { $0.key.partition != partition }
        }
        // Runs after any write that is already in progress.
        queue.sync { self.delete(self.folder(partition)) }
    }

    /// Removes all users' responses for a URL. No lookup of this process finds them once this method has returned. The files
    /// are deleted afterwards, because every request such as a POST calls this method on a thread that must not wait.
    func removeAll(at location: String) {
        let number = state.withLock { state in
            state.pending = state.pending.filter { $0.key.location != location }
            let number = state.newNumber()
            state.removals[location] = number
            return number
        }
        queue.async {
            self.deleteFiles(at: location)
            self.state.withLock { if $0.removals[location] == number { $0.removals[location] = nil } }
        }
    }

    /// Waits until all previous changes are on disk.
    func flush() async { await run {} }

    /// Removes abandoned temporary files, and then the oldest responses until the remaining files are within
    /// the limit.
    func sweep() async { await run { self.sweepNow() } }

    private func run(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { waiter in
            queue.async {
                work()
                waiter.resume()
            }
        }
    }

    // MARK: On the queue

    /// Runs `work` on the queue, for tests.
    func onQueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    private func deleteFiles(at location: String) {
        let (prefix, manager) = (Self.prefix(location), FileManager.default)
        for partition in (try? manager.contentsOfDirectory(atPath: folder.path)) ?? [] {
            let folder = folder(partition)
            for name in (try? manager.contentsOfDirectory(atPath: folder.path)) ?? []
            where name.hasPrefix(prefix) {
                delete(folder.appendingPathComponent(name))
            }
        }
    }

    private func enqueue(_ key: APICacheKey, _ entry: APICacheEntry?) {
        let number = state.withLock { state in
            let number = state.newNumber()
            state.pending[key] = Pending(number: number, entry: entry)
            return number
        }
        queue.async { self.perform(number, for: key) }
    }

    private func perform(_ number: Int, for key: APICacheKey) {
        // A later change of the key, or the removal of its user, supersedes this one.
        guard let pending = state.withLock({ $0.pending[key] }), pending.number == number else { return }
        let written = write(pending.entry, for: key)
        let needsSweep = state.withLock { state in
            if state.pending[key]?.number == number { state.pending[key] = nil }
            state.writesSinceSweep += 1
            state.size = state.size.map { $0 + written }
            return state.size.map { $0 > limit } ?? true || state.writesSinceSweep >= Self.sweepEvery
        }
        if needsSweep { sweepNow() }
    }

    /// Writes a key's file and returns the number of bytes written. Removes the file if there is no response, if the
    /// response exceeds the limit, or if writing fails.
    private func write(_ entry: APICacheEntry?, for key: APICacheKey) -> Int {
        let target = file(key)
        let temporary = target.deletingLastPathComponent().appendingPathComponent(
            "\(UUID().uuidString).writing")
        do {
            guard let data = try entry.map({ try CacheFile.data($0, for: key) }), data.count <= limit else {
                delete(target)
                return 0
            }
            try Self.createPrivate(folder)
            try Self.createPrivate(target.deletingLastPathComponent())
            try Self.write(data, to: temporary)
            try FileMove.rename(temporary, to: target)
            return data.count
        } catch {
            delete(temporary)
            delete(target)
            return 0
        }
    }

    /// Creates a folder that only the current system user can read, or restricts an existing folder to that user.
    private static func createPrivate(_ folder: URL) throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        if FileManager.default.fileExists(atPath: folder.path) {
            let found = try FileManager.default.attributesOfItem(atPath: folder.path)
            if found[.posixPermissions] as? NSNumber != 0o700 {
                try FileManager.default.setAttributes(attributes, ofItemAtPath: folder.path)
            }
        } else {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: attributes)
        }
    }

    /// Writes a new file that only the current system user can read.
    private static func write(_ data: Data, to file: URL) throws {
        let descriptor = unsafe open(file.path, O_CREAT | O_EXCL | O_WRONLY, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        try handle.close()
    }

    private func sweepNow() {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey, .isRegularFileKey]
        var files: [(url: URL, size: Int, date: Date)] = []
        // Consider only the cache's own files: an app may have passed a folder with other files.
        let kinds = [Self.kind, "writing"]
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: Array(keys))
        while let url = found?.nextObject() as? URL {
            guard kinds.contains(url.pathExtension), let values = try? url.resourceValues(forKeys: keys),
                values.isRegularFile == true,
                let size = values.fileSize, let date = values.contentModificationDate
            else { continue }
            if url.pathExtension == "writing", now().timeIntervalSince(date) > Self.writingTime {
                delete(url)
            } else {
                files.append((url, size, date))
            }
        }
        var size = files.reduce(0) { $0 + $1.size }
        // Remove down to 90 % of the limit, so that the next write does not trigger another sweep.
        let goal = size > limit ? limit / 10 * 9 : limit
        for file in files.sorted(by: { $0.date < $1.date }) where size > goal {
            guard file.url.pathExtension != "writing" else { continue }
            delete(file.url)
            size -= file.size
        }
        state.withLock { state in
            state.size = size
            state.writesSinceSweep = 0
        }
    }

    private func delete(_ url: URL) {
        // A file that cannot be deleted is usually gone already. Otherwise the next sweep tries again.
        try? FileManager.default.removeItem(at: url)
    }

    // MARK: Names

    private func folder(_ partition: String) -> URL {
        folder.appendingPathComponent(partition, isDirectory: true)
    }

    private func file(_ key: APICacheKey) -> URL {
        let name = Self.prefix(key.location) + Digest.sha256(Data(key.text.utf8)).prefix(40)
        // With `isDirectory`, `URL` neither accesses the disk nor parses the path.
        return URL(
            fileURLWithPath: "\(folder.path)/\(key.partition)/\(name).\(Self.kind)", isDirectory: false)
    }

    /// Returns the common prefix of the names of all files for a URL.
    private static func prefix(_ location: String) -> String {
        Digest.sha256(Data(location.utf8)).prefix(20) + "-"
    }

    private static let kind = "apientry"
}
