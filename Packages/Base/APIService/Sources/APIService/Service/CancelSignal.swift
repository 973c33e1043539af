import APITransport
import Locking

/// Ends a request early, when the caller cancels it or its time limit is exceeded. The signal fires at most
/// once and keeps its reason.
///
/// A request waits for operations only through ``wait(_:)``, so that no transport, interceptor or accessory can keep it
/// from ending.
///
/// All operations are thread-safe.
final class CancelSignal: Sendable {
    private struct State {
        var reason: APIError?
        /// The handlers of the running waits. Waits may be nested.
        var handlers: [(id: Int, handler: @Sendable (APIError) -> Void)] = []
        var lastID = 0
    }

    private let state = Locked(State())

    /// The reason why the signal has fired; `nil` if it has not.
    var reason: APIError? { state.withLock { $0.reason } }

    /// - Throws: The signal's reason, if it has fired.
    func check() throws(APIError) {
        if let reason { throw reason }
    }

    /// Fires the signal. Does nothing if it has already fired.
    func fire(_ reason: APIError) {
        let handlers = state.withLock { state in
            guard state.reason == nil else { return [(id: Int, handler: @Sendable (APIError) -> Void)]() }
            state.reason = reason
            return state.handlers
        }
        for (_, handler) in handlers { handler(reason) }
    }

    /// Calls `handler` when the signal fires, or immediately if it has fired. Returns the ID for ``remove(_:)``.
    @discardableResult
    func onFire(_ handler: @escaping @Sendable (APIError) -> Void) -> Int {
        let (id, reason) = state.withLock { state in
            state.lastID += 1
            state.handlers.append((state.lastID, handler))
            return (state.lastID, state.reason)
        }
        if let reason { handler(reason) }
        return id
    }

    private func remove(_ id: Int) { state.withLock { $0.handlers.removeAll { $0.id == id } } }

    /// Starts an operation and waits for its result or for the signal, whichever comes first. The operation may itself
    /// wait for the signal.
    ///
    /// - Parameter begin: Starts the operation and returns a closure that cancels it. The argument is the callback for
    ///   the result; only its first call has an effect. `begin` is not called if the signal has already fired.
    /// - Throws: The signal's reason.
    nonisolated(nonsending) func wait<T: Sendable>(
        _ begin: (@escaping @Sendable (T) -> Void) -> @Sendable () -> Void
    ) async throws(APIError) -> T {
        try check()
        let answer = FirstAnswer<Result<T, APIError>>()
        let cancelOperation = begin { answer.give(.success($0)) }
        guard answer.isOpen else { return try await answer.value().get() }
        let id = onFire { reason in
            if answer.give(.failure(reason)) { cancelOperation() }
        }
        defer { remove(id) }
        return try await answer.value().get()
    }

    /// Runs an operation in its own task and waits for its result or for the signal, whichever comes first. If the
    /// signal fires, the task is cancelled, and this method does not wait for the task to end.
    ///
    /// - Throws: The signal's reason.
    nonisolated(nonsending) func run<T: Sendable, Failure: Error>(
        _ operation: @escaping @Sendable () async throws(Failure) -> T
    ) async throws(APIError) -> Result<T, Failure> {
        try await wait { answer in
            let task = Task {
                do throws(Failure) {
                    answer(.success(try await operation()))
                } catch {
                    answer(.failure(error))
                }
            }
            return { task.cancel() }
        }
    }
}

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
