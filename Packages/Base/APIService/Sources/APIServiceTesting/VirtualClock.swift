/// A clock whose time passes only when a test advances it.
///
/// ```swift
/// await clock.waitForSleepers(1)
/// clock.advance(by: .seconds(2))
/// ```
///
/// All operations are thread-safe.
public final class VirtualClock: Clock {
    /// An instant of the clock.
    public struct Instant: InstantProtocol {
        let offset: Duration

        /// Returns the instant that is later by `duration`.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// Returns the duration from this instant to another one.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Whether the first instant is earlier.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Duration
        let waiter: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Duration = .zero
        var next = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var watchers: [(id: Int, count: Int, waiter: CheckedContinuation<Void, Never>)] = []

        mutating func newID() -> Int {
            next += 1
            return next
        }
    }

    private let state = Recorded(State())

    /// Creates a clock at time zero.
    public init() {}

    /// The current time.
    public var now: Instant { Instant(offset: state.value.now) }

    /// Zero, because the clock is exact.
    public var minimumResolution: Duration { .zero }

    /// The remaining durations of all sleeping tasks, the shortest first.
    public var sleeps: [Duration] {
        let state = state.value
        return state.sleepers.values.map { $0.deadline - state.now }.sorted()
    }

    /// The number of tasks that wait for sleepers.
    var watchers: Int { state.value.watchers.count }

    /// Suspends until the clock reaches the deadline.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.update { $0.newID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                enter(id, deadline.offset, waiter)
            }
        } onCancel: {
            state.update { state in
                // If the task is not asleep yet, remember the cancellation.
                if state.sleepers[id] == nil { state.cancelled.insert(id) }
                return state.sleepers.removeValue(forKey: id)
            }?.waiter.resume(throwing: CancellationError())
        }
    }

    private func enter(_ id: Int, _ deadline: Duration, _ waiter: CheckedContinuation<Void, any Error>) {
        let (outcome, watchers) = state.update {
            state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
            if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
            if deadline <= state.now { return (.success(()), []) }
            state.sleepers[id] = Sleeper(deadline: deadline, waiter: waiter)
            let count = state.sleepers.count
            let woken = state.watchers.filter { $0.count <= count }
            state.watchers.removeAll { $0.count <= count }
            return (nil, woken.map(\.waiter))
        }
        if let outcome { waiter.resume(with: outcome) }
        for watcher in watchers { watcher.resume() }
    }

    /// Advances the time and wakes the tasks whose deadlines have passed, in the order of their deadlines.
    public func advance(by duration: Duration) {
        let woken = state.update { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.waiter.resume() }
    }

    /// Waits until at least this number of tasks are sleeping, or until the current task is cancelled: a test with a time
    /// limit ends even if too few tasks sleep.
    public func waitForSleepers(_ count: Int) async {
        let id = state.update { $0.newID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = state.update { state in
                    if state.sleepers.count >= count || state.cancelled.remove(id) != nil { return true }
                    state.watchers.append((id, count, waiter))
                    return false
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            state.update { state -> CheckedContinuation<Void, Never>? in
                // If the task is not waiting yet, remember the cancellation.
                guard let index = state.watchers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.watchers.remove(at: index).waiter
            }?.resume()
        }
    }
}
