import Locking

/// Ends sends at their time limits, with one sleeping task for all of them: a task and a timer for each send
/// would take longer than all else that a small send asks of the pipeline.
///
/// The task sleeps until the earliest limit that it knew when it lay down, whether that send has ended or not,
/// and is gone when it wakes and nothing is left to wait for.
///
/// All operations are safe from every thread. Complexity: O(1), but for the limits that are over: O(*n*) in the
/// sends under way.
final class Deadlines<C: Clock<Duration>>: Sendable {
    private struct State {
        var entries: [Int: (limit: C.Instant, signal: CancelSignal)] = [:]
        var next = 0
        var sleeper: (id: Int, wakes: C.Instant, task: Task<Void, Never>)?

        mutating func newID() -> Int {
            next += 1
            return next
        }
    }

    private let state = Locked(State())
    private let clock: C

    init(clock: C) { self.clock = clock }

    deinit { state.withLock { $0.sleeper?.task }?.cancel() }

    /// Fires `signal` when so much time has passed. Returns what ``remove(_:)`` takes.
    func add(_ signal: CancelSignal, after duration: Duration) -> Int {
        let limit = clock.now.advanced(by: duration)
        return state.withLock { state in
            let id = state.newID()
            state.entries[id] = (limit, signal)
            wake(&state, at: limit)
            return id
        }
    }

    /// Forgets a signal: its send has ended.
    func remove(_ id: Int) { state.withLock { _ = $0.entries.removeValue(forKey: id) } }

    /// Sees to it that somebody wakes then or before.
    private func wake(_ state: inout State, at limit: C.Instant) {
        if let sleeper = state.sleeper, sleeper.wakes <= limit { return }
        state.sleeper?.task.cancel()
        let id = state.newID()
        // Detached, for it serves every send after this one: no task's own values and priority.
        let task = Task.detached { [clock, weak self] in
            do { try await clock.sleep(until: limit, tolerance: nil) } catch { return }
            self?.awake(id)
        }
        state.sleeper = (id, limit, task)
    }

    private func awake(_ id: Int) {
        let now = clock.now
        let due = state.withLock { state -> [CancelSignal] in
            // Another one has taken its place.
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
