import Foundation
import Locking

/// A task for clients that exchange in an async function: it runs the function, tells its events one at a time,
/// and sees to it that the end comes exactly once, at once when it is cancelled.
///
/// All operations are safe from every thread.
public final class APIStreamTask: APIRequestTask {
    /// Tells the exchange's next event.
    public typealias Emit = @Sendable (APIStreamEvent) -> Void

    private struct State {
        var isStarted = false
        var isEnded = false
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())
    /// Held while the handler is called. Recursive, so that a handler may cancel.
    private let telling = NSRecursiveLock()
    private let eventHandler: Emit
    private let work: @Sendable (@escaping Emit) async -> Void

    /// A task that tells `eventHandler`.
    ///
    /// - Parameters:
    ///   - eventHandler: Is told what `work` emits, up to its end.
    ///   - work: The exchange, run by ``resume()`` in a task that ``cancel()`` cancels. It must emit an end; what
    ///     it emits after the first is not told.
    public init(
        _ eventHandler: @escaping Emit, work: @escaping @Sendable (_ emit: @escaping Emit) async -> Void
    ) {
        (self.eventHandler, self.work) = (eventHandler, work)
    }

    /// Starts the exchange, once.
    public func resume() {
        let starts = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && !state.isEnded
        }
        guard starts else { return }
        let task = Task { await work { self.emit($0) } }
        let isEnded = state.withLock { state in
            state.task = task
            return state.isEnded
        }
        if isEnded { task.cancel() }
    }

    /// Ends the exchange with ``APITransportError/cancelled``, unless it has ended. Waits for a call of the
    /// handler that is under way.
    public func cancel() {
        emit(.end(.cancelled))
        state.withLock { $0.task }?.cancel()
    }

    private func emit(_ event: APIStreamEvent) {
        telling.withLock {
            let passes = state.withLock { state in
                guard !state.isEnded else { return false }
                if case .end = event { state.isEnded = true }
                return true
            }
            if passes { eventHandler(event) }
        }
    }
}
