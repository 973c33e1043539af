import Foundation
import NIOCore
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Ends an exchange in which nothing has moved for so long as `URLRequest.timeoutInterval` says, as `URLSession`
/// does. The time that a handler takes does not count.
///
/// All operations are safe from every thread.
final class SilenceLimit: Sendable {
    /// Stands for: nothing is waited for.
    private static let paused = UInt64.max
    /// What is as long, in seconds, never ends.
    private static let longest: TimeInterval = 1e8

    /// In nanoseconds.
    private let limit: UInt64
    /// Since when something is waited for, in nanoseconds of `NIODeadline`.
    private let since = Atomic(NIODeadline.now().uptimeNanoseconds)

    private init(seconds: TimeInterval) { limit = UInt64(seconds * 1e9) }

    /// Runs an exchange, which must say what ``moved()``.
    ///
    /// - Throws: What `exchange` throws; `URLError(.timedOut)` when nothing moved for `seconds`, and `exchange` is
    ///   then cancelled.
    static func run(
        seconds: TimeInterval, _ exchange: @escaping @Sendable (SilenceLimit) async throws -> Void
    ) async throws {
        guard seconds < longest else { return try await exchange(SilenceLimit(seconds: longest)) }
        let limit = SilenceLimit(seconds: max(seconds, 0))
        try await withThrowingTaskGroup { group in
            group.addTask { try await exchange(limit) }
            group.addTask { try await limit.isOver() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Something was sent or received.
    func moved() { since.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed) }

    /// Runs a handler, outside the limit.
    func outside(_ body: () throws -> Void) rethrows {
        since.store(Self.paused, ordering: .relaxed)
        defer { moved() }
        try body()
    }

    /// Throws when it is over.
    private func isOver() async throws {
        while true {
            let now = NIODeadline.now().uptimeNanoseconds
            let since = since.load(ordering: .relaxed)
            let silence = since == Self.paused || since > now ? 0 : now - since
            guard silence < limit else { throw URLError(.timedOut) }
            try await Task.sleep(nanoseconds: limit - silence)
        }
    }
}
