import Foundation
import Locking
import NIOCore
import Synchronization

/// The maximum time that an exchange may go without sending or receiving anything. Time spent in handlers does not
/// count.
///
/// All operations are thread-safe.
final class SilenceLimit: Sendable {
    /// The value of ``since`` while a handler runs.
    private static let paused = UInt64.max

    /// The limit in nanoseconds.
    private let limit: UInt64
    /// The time of the last activity, in nanoseconds of `NIODeadline`.
    private let since = Atomic(NIODeadline.now().uptimeNanoseconds)
    /// Ends the exchange.
    fileprivate let end: @Sendable () -> Void

    fileprivate init(seconds: TimeInterval, end: @escaping @Sendable () -> Void) {
        (limit, self.end) = (UInt64(seconds * 1e9), end)
    }

    /// Records that something was sent or received.
    func moved() { since.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed) }

    /// Stops counting silence until ``moved()`` is called.
    func pause() { since.store(Self.paused, ordering: .relaxed) }

    /// Runs a handler without counting its time as silence.
    func outside(_ body: () throws -> Void) rethrows {
        pause()
        defer { moved() }
        try body()
    }

    /// Returns the time when the limit will be exceeded if nothing is sent or received from now on.
    fileprivate func deadline(now: UInt64) -> UInt64 {
        let since = since.load(ordering: .relaxed)
        return (since == Self.paused ? now : since) + limit
    }
}

/// Ends a client's exchanges when they have sent and received nothing for `URLRequest.timeoutInterval`, as `URLSession`
/// does.
///
/// One sleeping task serves all exchanges, because starting a task for each exchange would take longer than the rest of
/// the adapter's work. The task sleeps until the earliest deadline that was known when it fell asleep. When it wakes
/// and no exchanges are left, it ends.
///
/// All operations are thread-safe.
final class SilenceWatch: Sendable {
    private struct State {
        var limits: [ObjectIdentifier: SilenceLimit] = [:]
        var sleeper: (wakes: UInt64, task: Task<Void, Never>)?
    }

    /// A timeout of this many seconds or more means no limit.
    private static let longest: TimeInterval = 1e8

    private let state = Locked(State())

    deinit { state.withLock { $0.sleeper?.task }?.cancel() }

    /// Runs an exchange, which must call ``SilenceLimit/moved()`` whenever it sends or receives something. Calls `end`
    /// after `seconds` without activity.
    func run(
        seconds: TimeInterval, end: @escaping @Sendable () -> Void,
        _ exchange: (SilenceLimit) async throws -> Void
    ) async rethrows {
        let limit = SilenceLimit(seconds: min(max(seconds, 0), Self.longest), end: end)
        guard seconds < Self.longest else { return try await exchange(limit) }
        state.withLock { state in
            state.limits[ObjectIdentifier(limit)] = limit
            sleep(&state, for: [limit])
        }
        defer { state.withLock { _ = $0.limits.removeValue(forKey: ObjectIdentifier(limit)) } }
        try await exchange(limit)
    }

    /// Ensures that a task wakes no later than the earliest of these limits.
    private func sleep(_ state: inout State, for limits: some Sequence<SilenceLimit>) {
        let now = NIODeadline.now().uptimeNanoseconds
        guard let wakes = limits.map({ $0.deadline(now: now) }).min() else { return }
        if let sleeper = state.sleeper, sleeper.wakes <= wakes { return }
        state.sleeper?.task.cancel()
        // The task is detached, because it also serves later exchanges and must not inherit the priority and the
        // task-local values of the current one.
        let task = Task.detached { [weak self] in
            do { try await Task.sleep(nanoseconds: wakes > now ? wakes - now : 0) } catch { return }
            self?.awake(wakes)
        }
        state.sleeper = (wakes, task)
    }

    private func awake(_ wakes: UInt64) {
        let silent = state.withLock { state -> [SilenceLimit] in
            // Another task has replaced this one.
            guard state.sleeper?.wakes == wakes else { return [] }
            state.sleeper = nil
            let now = NIODeadline.now().uptimeNanoseconds
            let silent = state.limits.filter { $0.value.deadline(now: now) <= now }
            for id in silent.keys { state.limits[id] = nil }
            sleep(&state, for: state.limits.values)
            return Array(silent.values)
        }
        for limit in silent { limit.end() }
    }
}
