import Locking

/// What ends a send early: the caller or the time limit. It fires at most once, and its reason stays.
///
/// Every wait of the pipeline goes through ``wait(_:)``, so that nothing that a transport, an interceptor or
/// an accessory fails to do can keep a send from ending.
///
/// All operations are safe from every thread.
final class CancelSignal: Sendable {
    private struct State {
        var reason: APIError?
        var handlers: [Int: @Sendable (APIError) -> Void] = [:]
        var next = 0
    }

    private let state = Locked(State())

    /// Why it has fired; nil as long as it has not.
    var reason: APIError? { state.withLock { $0.reason } }

    /// - Throws: The reason, if it has fired.
    func check() throws(APIError) {
        if let reason { throw reason }
    }

    /// Fires, unless it has.
    func fire(_ reason: APIError) {
        let handlers = state.withLock { state -> [@Sendable (APIError) -> Void] in
            guard state.reason == nil else { return [] }
            state.reason = reason
            defer { state.handlers = [:] }
            return Array(state.handlers.values)
        }
        for handler in handlers { handler(reason) }
    }

    /// Calls `handler` when it fires, at once if it has. Returns what ``remove(_:)`` takes.
    func onFire(_ handler: @escaping @Sendable (APIError) -> Void) -> Int? {
        let (id, reason) = state.withLock { state -> (Int?, APIError?) in
            if let reason = state.reason { return (nil, reason) }
            state.next += 1
            state.handlers[state.next] = handler
            return (state.next, nil)
        }
        if let reason { handler(reason) }
        return id
    }

    /// Forgets a handler.
    func remove(_ id: Int?) {
        guard let id else { return }
        state.withLock { _ = $0.handlers.removeValue(forKey: id) }
    }

    /// Begins something and waits for its answer, or for the signal, whichever is first.
    ///
    /// - Parameters:
    ///   - begin: Is handed where to answer, once or more often (the first counts), and returns what calls the
    ///     thing off. Not called when the signal has fired.
    ///   - unanswered: Called when `begin` returns without an answer.
    /// - Throws: The signal's reason.
    nonisolated(nonsending) func wait<T: Sendable>(
        _ begin: (@escaping @Sendable (T) -> Void) -> @Sendable () -> Void, unanswered: () -> Void = {}
    ) async throws(APIError) -> T {
        try check()
        let answer = FirstAnswer<Result<T, APIError>>()
        let callOff = begin { answer.give(.success($0)) }
        if let given = answer.given { return try given.get() }
        unanswered()
        let id = onFire { reason in
            if answer.give(.failure(reason)) { callOff() }
        }
        let result = await answer.value()
        remove(id)
        return try result.get()
    }

    /// Runs an operation of somebody else's and waits for it, or for the signal; then its task is cancelled
    /// and left behind.
    ///
    /// - Throws: The signal's reason, or what the operation threw, as ``APIError/init(building:)`` has it.
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

/// A value that one side gives, the first time counting, and one other side waits for.
///
/// All operations are safe from every thread.
final class FirstAnswer<T: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<T, Never>)
        case given(T)
    }

    private let state = Locked(State.open)

    /// Gives the value. Returns whether it is the first.
    @discardableResult
    func give(_ value: T) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<T, Never>?) in
            switch state {
            case .open:
                state = .given(value)
                return (true, nil)
            case .awaited(let waiter):
                state = .given(value)
                return (true, waiter)
            case .given: return (false, nil)
            }
        }
        waiter?.resume(returning: value)
        return isFirst
    }

    /// The value, if it has been given.
    var given: T? {
        state.withLock { if case .given(let value) = $0 { value } else { nil } }
    }

    /// The value, when it is given. Must be awaited once only.
    nonisolated(nonsending) func value() async -> T {
        await withCheckedContinuation { waiter in
            let given = state.withLock { state -> T? in
                if case .given(let value) = state { return value }
                state = .awaited(waiter)
                return nil
            }
            if let given { waiter.resume(returning: given) }
        }
    }
}
