import Foundation
import NIOCore
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Ends an exchange that has sent and received nothing for `URLRequest.timeoutInterval`, as `URLSession`
/// does. The time that a handler takes does not count.
///
/// All operations are thread-safe.
final class SilenceLimit: Sendable {
    /// The value of ``since`` while a handler runs.
    private static let paused = UInt64.max
    /// A timeout of this many seconds or more means no limit.
    private static let longest: TimeInterval = 1e8

    /// The limit in nanoseconds.
    private let limit: UInt64
    /// The time of the last activity, in nanoseconds of `NIODeadline`.
    private let since = Atomic(NIODeadline.now().uptimeNanoseconds)

    private init(seconds: TimeInterval) { limit = UInt64(seconds * 1e9) }

    /// Runs an exchange, which must call ``moved()`` whenever it sends or receives something.
    ///
    /// - Throws: The error of `exchange`, or `URLError(.timedOut)` after `seconds` without activity. The
    ///   timeout cancels `exchange`.
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

    /// Records that something was sent or received.
    func moved() { since.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed) }

    /// Stops counting silence until ``moved()``.
    func pause() { since.store(Self.paused, ordering: .relaxed) }

    /// Runs a handler without counting its time as silence.
    func outside(_ body: () throws -> Void) rethrows {
        pause()
        defer { moved() }
        try body()
    }

    /// Waits until the limit is exceeded, then throws `URLError(.timedOut)`.
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
