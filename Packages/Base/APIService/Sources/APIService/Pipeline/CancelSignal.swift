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
        var handlers: [(id: Int, handler: @Sendable (APIError) -> Void)] = []
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
            defer { state.handlers = [] }
            return state.handlers.map(\.handler)
        }
        for handler in handlers { handler(reason) }
    }

    /// Calls `handler` when it fires, at once if it has. Returns what ``remove(_:)`` takes.
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

    /// Forgets a handler.
    func remove(_ id: Int?) {
        guard let id else { return }
        state.withLock { $0.handlers.removeAll { $0.id == id } }
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
        let answer = FirstAnswer<T>()
        let callOff = begin { answer.give($0) }
        if answer.isOpen {
            unanswered()
            let id = onFire { reason in
                if answer.fail(reason) { callOff() }
            }
            await answer.settled()
            remove(id)
        }
        return try answer.get()
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

/// A value that one side gives, or the reason why none will come: the first counts. One other side waits for it.
///
/// All operations are safe from every thread.
final class FirstAnswer<T: Sendable>: Sendable {
    private let race = Locked(AnswerRace())
    // Safe because it is written once, under the lock by the one that ends the race, and read after its end only.
    private nonisolated(unsafe) var answer: Answer?

    /// Holds the value, so that nothing but this has to know its size.
    private final class Answer: Sendable {
        let value: T
        init(_ value: T) { self.value = value }
    }

    /// Gives the value. Returns whether it is the first answer.
    @discardableResult
    func give(_ value: T) -> Bool { end(nil, Answer(value)) }

    /// Gives the reason why no value will come. Returns whether it is the first answer.
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

    /// Whether nothing has been given yet.
    var isOpen: Bool { race.withLock { !$0.isOver } }

    /// Waits until something has been given. Must be awaited once only.
    nonisolated(nonsending) func settled() async {
        await withCheckedContinuation { waiter in
            let isOver = race.withLock { race in
                if !race.isOver { race.waiter = waiter }
                return race.isOver
            }
            if isOver { waiter.resume() }
        }
    }

    /// What was given.
    ///
    /// - Throws: The reason why there is no value.
    func get() throws(APIError) -> T {
        let reason = race.withLock { $0.reason }
        if let reason { throw reason }
        guard let answer = unsafe answer else { preconditionFailure("Nothing has been given.") }
        return answer.value
    }
}

/// How far a ``FirstAnswer`` is. Without the value: what a lock around something generic does is looked up each time,
/// and that was measured to be a tenth of the pipeline.
private struct AnswerRace {
    var isOver = false
    /// Why there is no value.
    var reason: APIError?
    var waiter: CheckedContinuation<Void, Never>?
}
