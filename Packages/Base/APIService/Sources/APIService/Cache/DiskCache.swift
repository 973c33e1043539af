import Foundation
import Locking

/// Answers in files: one file an answer, one folder a user.
///
/// A file is written beside its place and renamed into it, so a reader sees an old answer, a new one or none.
/// Several processes may share the folder: every operation bears that a file is gone, and the sweep counts what
/// it finds, whoever wrote it. A failing disk makes misses, never errors.
///
/// Writes are taken to a queue and done there in order; until then, ``entry(for:)`` answers from the queue.
///
/// All operations are safe from every thread.
final class DiskCache: Sendable {
    private enum Pending {
        case store(APICacheEntry)
        case remove
    }

    private struct State {
        /// What the queue has not done yet, the newest of each key, with a number that tells it from others.
        var pending: [APICacheKey: (number: Int, Pending)] = [:]
        var next = 0
        /// About how much is on disk; nil before the first sweep.
        var size: Int?
        var writesSinceSweep = 0
    }

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "APIService.DiskCache", qos: .utility)
    private let folder: URL
    private let limit: Int
    private let now: @Sendable () -> Date

    /// A half-written file is left for so long, as another process may still be writing it.
    private static let writingTime: TimeInterval = 600
    private static let sweepEvery = 256

    /// - Parameters:
    ///   - folder: Where the files lie. Made when the first is written.
    ///   - limit: The most bytes that the files may have together after a sweep.
    init(folder: URL, limit: Int, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.folder, self.limit, self.now) = (folder, limit, now)
    }

    func entry(for key: APICacheKey) -> APICacheEntry? {
        if let (_, pending) = state.withLock({ $0.pending[key] }) {
            if case .store(let entry) = pending { return entry }
            return nil
        }
        guard let data = try? Data(contentsOf: file(key)) else { return nil }
        return CacheFile.entry(data, for: key)
    }

    func store(_ entry: APICacheEntry, for key: APICacheKey) { enqueue(.store(entry), for: key) }

    func remove(_ key: APICacheKey) { enqueue(.remove, for: key) }

    /// Removes a user's answers. What was stored before is not seen any more when this returns.
    func removeAll(partition: String) {
        state.withLock { state in
            state.pending = state.pending.filter { $0.key.partition != partition }
        }
        // Ordered behind the write that may be under way, which nobody has forgotten yet.
        queue.sync { self.delete(self.folder(partition)) }
    }

    /// Waits until all that was stored or removed before is on disk.
    func flush() async {
        await withCheckedContinuation { waiter in queue.async { waiter.resume() } }
    }

    /// Removes left-over half-written files, and the oldest answers until the rest are within the limit.
    func sweep() async {
        await withCheckedContinuation { waiter in
            queue.async {
                self.sweepNow()
                waiter.resume()
            }
        }
    }

    // MARK: On the queue

    private func enqueue(_ pending: Pending, for key: APICacheKey) {
        let number = state.withLock { state in
            state.next += 1
            state.pending[key] = (state.next, pending)
            return state.next
        }
        queue.async { self.perform(number, for: key) }
    }

    private func perform(_ number: Int, for key: APICacheKey) {
        // A later one for the same key, or a removal of all, makes this one needless.
        guard let (newest, pending) = state.withLock({ $0.pending[key] }), newest == number else { return }
        let written: Int
        switch pending {
        case .store(let entry): written = write(entry, for: key)
        case .remove:
            delete(file(key))
            written = 0
        }
        let needsSweep = state.withLock { state in
            if state.pending[key]?.number == number { state.pending[key] = nil }
            state.writesSinceSweep += 1
            state.size = state.size.map { $0 + written }
            return state.size.map { $0 > limit } ?? true || state.writesSinceSweep >= Self.sweepEvery
        }
        if needsSweep { sweepNow() }
    }

    /// Returns the bytes written. An entry that cannot be written is not stored, and its old one is gone.
    private func write(_ entry: APICacheEntry, for key: APICacheKey) -> Int {
        let target = file(key)
        let temporary = target.deletingLastPathComponent().appendingPathComponent(
            "\(UUID().uuidString).writing")
        do {
            let data = CacheFile.data(entry, for: key)
            guard data.count <= limit else {
                delete(target)
                return 0
            }
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: temporary)
            try FileMove.rename(temporary, to: target)
            return data.count
        } catch {
            delete(temporary)
            delete(target)
            return 0
        }
    }

    private func sweepNow() {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey, .isRegularFileKey]
        var files: [(url: URL, size: Int, date: Date)] = []
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: Array(keys))
        while let url = found?.nextObject() as? URL {
            guard let values = try? url.resourceValues(forKeys: keys), values.isRegularFile == true,
                let size = values.fileSize, let date = values.contentModificationDate
            else { continue }
            if url.pathExtension == "writing", now().timeIntervalSince(date) > Self.writingTime {
                delete(url)
            } else {
                files.append((url, size, date))
            }
        }
        var size = files.reduce(0) { $0 + $1.size }
        // Down to nine tenths, so that the next write does not sweep again.
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
        // What cannot be deleted, mostly because it is gone, is met again by the next sweep.
        try? FileManager.default.removeItem(at: url)
    }

    // MARK: Names

    private func folder(_ partition: String) -> URL {
        folder.appendingPathComponent(partition, isDirectory: true)
    }

    private func file(_ key: APICacheKey) -> URL {
        let name = SHA256.hex(Data(key.text.utf8)).prefix(40)
        // Told that it is no folder, `URL` need not look, nor take the path apart.
        return URL(fileURLWithPath: "\(folder.path)/\(key.partition)/\(name).apicache", isDirectory: false)
    }
}
