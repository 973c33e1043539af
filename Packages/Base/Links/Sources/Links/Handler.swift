import Dispatch

/// A closure that answers calls: synchronous, asynchronous, or synchronous on the main actor.
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
public enum Handler: Sendable {
    /// A synchronous closure.
    case sync(@Sendable (Link.Call) throws -> (any Sendable)?)
    /// An asynchronous closure.
    case async(@Sendable (Link.Call) async throws -> (any Sendable)?)
    /// A synchronous closure that is isolated to the main actor, such as one that creates a page.
    case onMain(@MainActor @Sendable (Link.Call) throws -> (any Sendable)?)

    /// Calls the closure without waiting.
    ///
    /// - Throws: ``HandlerError`` if the caller needs `await`, or the closure's own error.
    public func call(_ call: Link.Call) throws -> (any Sendable)? {
        switch self {
        case .sync(let closure): return try closure(call)
        case .async: throw HandlerError.needsAwait
        case .onMain(let closure):
            guard MainQueue.isCurrent else { throw HandlerError.needsMainActor }
            return try MainActor.assumeIsolated { try closure(call) }
        }
    }

    /// Calls the closure and waits for its result. A synchronous closure runs on the caller's actor.
    ///
    /// - Throws: The closure's own error.
    public nonisolated(nonsending) func call(_ call: Link.Call) async throws -> (any Sendable)? {
        switch self {
        case .sync(let closure): try closure(call)
        case .async(let closure): try await closure(call)
        case .onMain(let closure): try await closure(call)
        }
    }
}

/// The reason why a handler cannot be called without `await`.
public enum HandlerError: Error, Hashable {
    /// The handler is asynchronous.
    case needsAwait
    /// The handler is isolated to the main actor, and the caller is not on the main actor.
    case needsMainActor
}

/// Detects callers on the main queue, where the main actor runs.
///
/// `MainActor.assumeIsolated` cannot detect them, because it stops the process if the caller is off the main actor.
/// Instead, the main queue carries a mark that only code on the main queue can read. Main-actor code that runs
/// inside another queue's `DispatchQueue.sync` cannot read the mark, so it counts as being off the main actor.
private enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the caller is on the main queue.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
