import Locking

/// Ends a request early, when the caller cancels it or its time limit is exceeded. The signal fires at most
/// once and keeps its reason.
///
/// A request waits for one operation at a time, always with ``wait(_:)``, so that no transport, interceptor or
/// accessory can keep it from ending.
///
/// All operations are thread-safe.
final class CancelSignal: Sendable {
    private struct State {
        var reason: APIError?
        var handler: (@Sendable (APIError) -> Void)?
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
        let handler = state.withLock { state -> (@Sendable (APIError) -> Void)? in
            guard state.reason == nil else { return nil }
            state.reason = reason
            return state.handler
        }
        handler?(reason)
    }

    /// Calls `handler` when the signal fires, or immediately if it has fired. Replaces the previous handler.
    func onFire(_ handler: @escaping @Sendable (APIError) -> Void) {
        let reason = state.withLock { state in
            state.handler = handler
            return state.reason
        }
        if let reason { handler(reason) }
    }

    /// Starts an operation and waits for its result or for the signal, whichever comes first.
    ///
    /// - Parameter begin: Starts the operation and returns a closure that cancels it. Receives the callback for the
    ///   result; only the callback's first call has an effect. Not called if the signal has already fired.
    /// - Throws: The signal's reason.
    nonisolated(nonsending) func wait<T: Sendable>(
        _ begin: (@escaping @Sendable (T) -> Void) -> @Sendable () -> Void
    ) async throws(APIError) -> T {
        try check()
        let answer = FirstAnswer<Result<T, APIError>>()
        let cancelOperation = begin { answer.give(.success($0)) }
        if answer.isOpen {
            onFire { reason in
                if answer.give(.failure(reason)) { cancelOperation() }
            }
            await answer.settled()
            state.withLock { $0.handler = nil }
        }
        return try answer.value.get()
    }

    /// Runs an operation in its own task and waits for its result or for the signal, whichever comes first. If the
    /// signal fires, the task is cancelled, and this method does not wait for the task to end.
    ///
    /// - Throws: The signal's reason.
    nonisolated(nonsending) func run<T: Sendable>(
        _ operation: @escaping @Sendable () async -> T
    ) async throws(APIError) -> T {
        try await wait { answer in
            let task = Task { answer(await operation()) }
            return { task.cancel() }
        }
    }
}

/// A one-time result. Only the first result is kept, and only one task may wait for it.
///
/// All operations are thread-safe.
final class FirstAnswer<T: Sendable>: Sendable {
    /// The state without the result. If the lock protected a generic value, it would look up the value's
    /// operations at runtime, which was measured to take a tenth of the time of a small request.
    private struct Race {
        var isOver = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    /// Boxes the value, so that no other code depends on its size.
    private final class Box: Sendable {
        let value: T
        init(_ value: T) { self.value = value }
    }

    private let race = Locked(Race())
    // Safe because it is written only once, under the lock, and read only after the race is over.
    private nonisolated(unsafe) var box: Box?

    /// Sets the result. Returns whether it is the first one.
    @discardableResult
    func give(_ value: T) -> Bool {
        let box = Box(value)
        let (isFirst, waiter) = race.withLock { race -> (Bool, CheckedContinuation<Void, Never>?) in
            guard !race.isOver else { return (false, nil) }
            unsafe self.box = box
            race.isOver = true
            return (true, race.waiter)
        }
        waiter?.resume()
        return isFirst
    }

    /// Whether there is no result yet.
    var isOpen: Bool { race.withLock { !$0.isOver } }

    /// Waits for the result. Must be called at most once.
    nonisolated(nonsending) func settled() async {
        await withCheckedContinuation { waiter in
            let isOver = race.withLock { race in
                if !race.isOver { race.waiter = waiter }
                return race.isOver
            }
            if isOver { waiter.resume() }
        }
    }

    /// The result. Must be read only after it has been set.
    var value: T {
        guard let box = race.withLock({ _ in unsafe box }) else {
            preconditionFailure("There is no result yet.")
        }
        return box.value
    }
}

/// Ends requests at their time limits, with a single sleeping task for all of them: a task and a timer for
/// each request would take longer than everything else in the pipeline of a small request.
///
/// The task sleeps until the earliest limit that was known when it fell asleep, even if the request with that
/// limit has ended since. When the task wakes and no requests are left, it ends.
///
/// All operations are thread-safe. Complexity: O(1), except for a wakeup at a limit, which is O(*n*) in the
/// number of running requests.
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

    /// Fires `signal` after this duration. Returns the ID for ``remove(_:)``.
    func add(_ signal: CancelSignal, after duration: Duration) -> Int {
        let limit = clock.now.advanced(by: duration)
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
    private func wake(_ state: inout State, at limit: C.Instant) {
        if let sleeper = state.sleeper, sleeper.wakes <= limit { return }
        state.sleeper?.task.cancel()
        let id = state.newID()
        // The task is detached, because it also serves later requests and must not inherit the priority and
        // the task-local values of the current request.
        let task = Task.detached { [clock, weak self] in
            do { try await clock.sleep(until: limit, tolerance: nil) } catch { return }
            self?.awake(id)
        }
        state.sleeper = (id, limit, task)
    }

    private func awake(_ id: Int) {
        let now = clock.now
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
