import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Answers in files: one file a key, which holds its variants, and one folder a user.
///
/// A file is written beside its place and renamed into it, so a reader sees an old answer, a new one or none.
/// Several processes may share the folder: every operation bears that a file is gone, and the sweep counts what
/// it finds, whoever wrote it. A failing disk makes misses, never errors. A variant is added by writing the file anew:
/// when two processes do that at once, one of the two is missed; what another process removes just then may stay.
///
/// Writes are taken to a queue and done there in order; until then, ``entry(for:)`` answers from the queue.
///
/// All operations are safe from every thread.
final class DiskCache: Sendable {
    /// What the queue has not done yet for a key.
    private struct Pending {
        /// Of the last call, whose turn does it all.
        var number = 0
        /// Whether what is on disk goes before these are written.
        var removes = false
        var variants = Variants()
    }

    private struct State {
        var pending: [APICacheKey: Pending] = [:]
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

    /// The newest answer to a request under a key; nil stands for any request.
    func entry(for key: APICacheKey, answering request: URLRequest? = nil) -> APICacheEntry? {
        guard let pending = state.withLock({ $0.pending[key] }) else {
            return written(key).first(for: request)
        }
        return pending.variants.entries.first(for: request)
            ?? variants(of: key, after: pending).entries.first(for: request)
    }

    func store(_ entry: APICacheEntry, for key: APICacheKey) {
        enqueue(key) { pending in
            if pending.variants.areReplaced(by: entry) { pending.removes = true }
            pending.variants.insert(entry)
        }
    }

    func remove(_ key: APICacheKey) { enqueue(key) { $0 = Pending(removes: true) } }

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

    private func enqueue(_ key: APICacheKey, _ change: (inout Pending) -> Void) {
        let number = state.withLock { state in
            state.next += 1
            change(&state.pending[key, default: Pending()])
            state.pending[key]?.number = state.next
            return state.next
        }
        queue.async { self.perform(number, for: key) }
    }

    private func perform(_ number: Int, for key: APICacheKey) {
        // A later one for the same key, or a removal of all, makes this one needless.
        guard let pending = state.withLock({ $0.pending[key] }), pending.number == number else { return }
        let written = write(variants(of: key, after: pending), for: key)
        let needsSweep = state.withLock { state in
            if state.pending[key]?.number == number { state.pending[key] = nil }
            state.writesSinceSweep += 1
            state.size = state.size.map { $0 + written }
            return state.size.map { $0 > limit } ?? true || state.writesSinceSweep >= Self.sweepEvery
        }
        if needsSweep { sweepNow() }
    }

    /// What is on disk for a key.
    private func written(_ key: APICacheKey) -> some Sequence<APICacheEntry> {
        CacheFile.entries((try? Data(contentsOf: file(key))) ?? Data(), for: key)
    }

    /// What is stored for a key when `pending` is done.
    private func variants(of key: APICacheKey, after pending: Pending) -> Variants {
        // An answer without Vary leaves none of those on disk: they need not be read.
        let isAll = pending.removes || pending.variants.entries.first?.head.vary.isEmpty ?? false
        var variants = isAll ? Variants() : Variants(written(key))
        for entry in pending.variants.entries.reversed() { variants.insert(entry) }
        return variants
    }

    /// Writes as many as fit, the newest first, and returns the bytes written. What cannot be written is not stored, and
    /// what was there is gone.
    private func write(_ variants: Variants, for key: APICacheKey) -> Int {
        let target = file(key)
        let temporary = target.deletingLastPathComponent().appendingPathComponent(
            "\(UUID().uuidString).writing")
        do {
            var data = Data()
            for entry in variants.entries {
                let record = CacheFile.data(entry, for: key)
                guard data.count + record.count <= limit else { break }
                data += record
            }
            guard !data.isEmpty else {
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
        // Of what lies there, only what is the cache's: an app may have given it a folder of other things.
        let kinds = ["apicache", "writing"]
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
