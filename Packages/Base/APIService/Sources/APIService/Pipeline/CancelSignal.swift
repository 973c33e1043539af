import Locking

/// Ends a request early, when the caller cancels it or its time limit is exceeded. The signal fires at most
/// once and keeps its reason.
///
/// Every wait of the pipeline uses ``wait(_:unanswered:)``, so that no transport, interceptor or accessory
/// can keep a request from ending.
///
/// All operations are thread-safe.
final class CancelSignal: Sendable {
    private struct State {
        var reason: APIError?
        var handlers: [(id: Int, handler: @Sendable (APIError) -> Void)] = []
        var next = 0
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
        let handlers = state.withLock { state -> [@Sendable (APIError) -> Void] in
            guard state.reason == nil else { return [] }
            state.reason = reason
            defer { state.handlers = [] }
            return state.handlers.map(\.handler)
        }
        for handler in handlers { handler(reason) }
    }

    /// Calls `handler` when the signal fires, or immediately if it has fired. Returns the ID for
    /// ``remove(_:)``, or `nil` if the signal has fired.
    func onFire(_ handler: @escaping @Sendable (APIError) -> Void) -> Int? {
        let (id, reason) = state.withLock { state -> (Int?, APIError?) in
            if let reason = state.reason { return (nil, reason) }
            state.next += 1
            state.handlers.append((state.next, handler))
            return (state.next, nil)
        }
        if let reason { handler(reason) }
        return id
    }

    /// Removes a handler.
    func remove(_ id: Int?) {
        guard let id else { return }
        state.withLock { $0.handlers.removeAll { $0.id == id } }
    }

    /// Starts an operation and waits for its result or for the signal, whichever comes first.
    ///
    /// - Parameters:
    ///   - begin: Starts the operation and returns a closure that cancels it. Receives the callback for the
    ///     result; only the callback's first call counts. Not called if the signal has already fired.
    ///   - unanswered: Called if `begin` returns without a result.
    /// - Throws: The signal's reason.
    nonisolated(nonsending) func wait<T: Sendable>(
        _ begin: (@escaping @Sendable (T) -> Void) -> @Sendable () -> Void, unanswered: () -> Void = {}
    ) async throws(APIError) -> T {
        try check()
        let answer = FirstAnswer<T>()
        let cancelOperation = begin { answer.give($0) }
        if answer.isOpen {
            unanswered()
            let id = onFire { reason in
                if answer.fail(reason) { cancelOperation() }
            }
            await answer.settled()
            remove(id)
        }
        return try answer.get()
    }

    /// Runs an operation and waits for its result or for the signal, whichever comes first. If the signal
    /// fires, the operation's task is cancelled, and this method does not wait for the task to end.
    ///
    /// - Throws: The signal's reason, or the operation's error as converted by ``APIError/init(building:)``.
    func run<T: Sendable>(_ operation: @escaping @Sendable () async throws -> T) async throws(APIError) -> T {
        let result = try await wait { (answer: @escaping @Sendable (Result<T, APIError>) -> Void) in
            let task = Task {
                do {
                    answer(.success(try await operation()))
                } catch {
                    answer(.failure(APIError(building: error)))
                }
            }
            return { task.cancel() }
        }
        return try result.get()
    }
}

/// A one-time result: a value, or the reason why there is no value. Only the first result counts, and only
/// one task may wait for the result.
///
/// All operations are thread-safe.
final class FirstAnswer<T: Sendable>: Sendable {
    private let race = Locked(AnswerRace())
    // Safe because it is written only once, under the lock, and read only after the race is over.
    private nonisolated(unsafe) var answer: Answer?

    /// Boxes the value, so that no other code depends on its size.
    private final class Answer: Sendable {
        let value: T
        init(_ value: T) { self.value = value }
    }

    /// Sets the value. Returns whether it is the first result.
    @discardableResult
    func give(_ value: T) -> Bool { end(nil, Answer(value)) }

    /// Sets the reason why there is no value. Returns whether it is the first result.
    @discardableResult
    func fail(_ reason: APIError) -> Bool { end(reason, nil) }

    private func end(_ reason: APIError?, _ answer: Answer?) -> Bool {
        let (isFirst, waiter) = race.withLock { race -> (Bool, CheckedContinuation<Void, Never>?) in
            guard !race.isOver else { return (false, nil) }
            unsafe self.answer = answer
            (race.isOver, race.reason) = (true, reason)
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

    /// Returns the value. Must be called after the result has been set.
    ///
    /// - Throws: The reason why there is no value.
    func get() throws(APIError) -> T {
        let reason = race.withLock { $0.reason }
        if let reason { throw reason }
        guard let answer = unsafe answer else { preconditionFailure("There is no result yet.") }
        return answer.value
    }
}

/// The state of a ``FirstAnswer`` without its value. If the lock protected a generic value, it would look up
/// the value's operations at runtime, which was measured to take a tenth of the pipeline's time.
private struct AnswerRace {
    var isOver = false
    /// The reason why there is no value.
    var reason: APIError?
    var waiter: CheckedContinuation<Void, Never>?
}
