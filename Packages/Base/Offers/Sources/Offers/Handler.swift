/// A closure that handles calls: synchronously, asynchronously, or synchronously on the main actor.
///
/// Routes and Mediator call all three kinds in the same way:
///
/// | kind | a call without `await` | a call with `await` |
/// |---|---|---|
/// | `sync` | runs on the caller's actor | runs on the caller's actor |
/// | `async` | throws ``HandlerError/needsAwait`` | suspends the caller |
/// | `onMain` | runs if the caller is on the main actor; otherwise throws ``HandlerError/needsMainActor`` | runs on the main actor |
///
/// Inside another queue's `DispatchQueue.sync`, main-actor code counts as being off the main actor.
/// (ApiCenter, in contrast, does build an Api with the scope `.main` there.)
public enum Handler<Input: Sendable, Output: Sendable>: Sendable {
    /// A synchronous closure.
    case sync(@Sendable (Input) throws -> Output)
    /// An asynchronous closure.
    case async(@Sendable (Input) async throws -> Output)
    /// A synchronous closure that is isolated to the main actor, such as one that creates a view controller.
    case onMain(@MainActor @Sendable (Input) throws -> Output)

    /// Calls the closure without waiting.
    ///
    /// - Throws: ``HandlerError`` if the caller needs `await`, or the closure's own error.
    public func call(_ input: Input) throws -> Output {
        switch self {
        case .sync(let closure): return try closure(input)
        case .async: throw HandlerError.needsAwait
        case .onMain(let closure):
            guard MainQueue.isCurrent else { throw HandlerError.needsMainActor }
            return try MainActor.assumeIsolated { try closure(input) }
        }
    }

    /// Calls the closure and waits for its result. A synchronous closure runs on the caller's actor.
    ///
    /// - Throws: The closure's own error.
    public nonisolated(nonsending) func call(_ input: Input) async throws -> Output {
        switch self {
        case .sync(let closure): try closure(input)
        case .async(let closure): try await closure(input)
        case .onMain(let closure): try await closure(input)
        }
    }

    /// Whether every call needs `await`.
    public var isAsync: Bool {
        if case .async = self { true } else { false }
    }

    /// Returns a handler that converts its input, calls this handler, and converts the output.
    public func map<NewInput: Sendable, NewOutput: Sendable>(
        input: @escaping @Sendable (NewInput) -> Input, output: @escaping @Sendable (Output) -> NewOutput
    ) -> Handler<NewInput, NewOutput> {
        switch self {
        case .sync(let closure): .sync { output(try closure(input($0))) }
        case .async(let closure): .async { output(try await closure(input($0))) }
        case .onMain(let closure): .onMain { output(try closure(input($0))) }
        }
    }

    /// Returns a handler that also reports when each call begins and ends.
    ///
    /// - Parameter begin: Called before the closure. Returns a function that is called after the closure, with the
    ///   error that the closure threw, or nil.
    public func observed(_ begin: @escaping @Sendable () -> @Sendable ((any Error)?) -> Void) -> Self {
        switch self {
        case .sync(let closure):
            return .sync { input in
                let end = begin()
                return try reporting(to: end) { () throws -> Output in try closure(input) }
            }
        case .async(let closure):
            return .async { input in
                let end = begin()
                do {
                    let output = try await closure(input)
                    end(nil)
                    return output
                } catch {
                    end(error)
                    throw error
                }
            }
        case .onMain(let closure):
            return .onMain { input in
                let end = begin()
                return try reporting(to: end) { () throws -> Output in try closure(input) }
            }
        }
    }
}

/// Runs an operation and passes its error, or nil, to `end`.
private func reporting<Output>(
    to end: ((any Error)?) -> Void, _ operation: () throws -> Output
) throws -> Output {
    do {
        let output = try operation()
        end(nil)
        return output
    } catch {
        end(error)
        throw error
    }
}

/// The reason why a handler cannot be called without `await`.
public enum HandlerError: Error, Hashable {
    /// The handler is asynchronous.
    case needsAwait
    /// The handler is isolated to the main actor, and the caller is not on the main actor.
    case needsMainActor
}
