import Locking

/// Ends requests at their time limits, with a single sleeping task for all of them: a task and a timer for
/// each request would take longer than everything else in the pipeline of a small request.
///
/// The task sleeps until the earliest limit that was known when it fell asleep, even if the request with this limit has
/// since ended. If no requests are left when the task wakes, the task ends.
///
/// All operations are thread-safe. Complexity: O(1), except for a wakeup at a limit, which is O(*n*) in the
/// number of running requests.
final class Deadlines: Sendable {
    private struct State {
        var entries: [Int: (limit: Duration, signal: CancelSignal)] = [:]
        var next = 0
        var sleeper: (id: Int, wakes: Duration, task: Task<Void, Never>)?

        mutating func newID() -> Int {
            next += 1
            return next
        }
    }

    private let state = Locked(State())
    /// Returns the time since this object was created. All limits count from the same moment.
    private let elapsed: @Sendable () -> Duration
    private let sleep: @Sendable (_ limit: Duration) async throws -> Void

    init(clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    deinit { state.withLock { $0.sleeper?.task }?.cancel() }

    /// Fires `signal` after this duration. Returns the ID for ``remove(_:)``.
    func add(_ signal: CancelSignal, after duration: Duration) -> Int {
        let limit = elapsed() + duration
        return state.withLock { state in
            let id = state.newID()
            state.entries[id] = (limit, signal)
            wake(&state, at: limit)
            return id
        }
    }

    /// Removes the signal of a request that has ended.
    func remove(_ id: Int) { state.withLock { _ = $0.entries.removeValue(forKey: id) } }

    /// Ensures that a task wakes up at `limit` or earlier.
    private func wake(_ state: inout State, at limit: Duration) {
        if let sleeper = state.sleeper, sleeper.wakes <= limit { return }
        state.sleeper?.task.cancel()
        let id = state.newID()
        // The task is detached, because it also serves later requests and must not inherit the priority and
        // the task-local values of the current request.
        let task = Task.detached { [sleep, weak self] in
            do { try await sleep(limit) } catch { return }
            self?.awake(id)
        }
        state.sleeper = (id, limit, task)
    }

    private func awake(_ id: Int) {
        let now = elapsed()
        let due = state.withLock { state -> [CancelSignal] in
            // A later sleeper has replaced this one.
            guard state.sleeper?.id == id else { return [] }
            state.sleeper = nil
            let due = state.entries.filter { $0.value.limit <= now }
            for id in due.keys { state.entries[id] = nil }
            if let next = state.entries.values.map(\.limit).min() { wake(&state, at: next) }
            return due.values.map(\.signal)
        }
        for signal in due { signal.fire(.timedOut) }
    }
}
