import Foundation
import Locking

/// A task for clients that perform an exchange in an async function. It runs the function, reports the function's
/// events one at a time, and reports exactly one end. If the task is cancelled, it reports the end immediately.
///
/// All operations are thread-safe.
public final class APIStreamTask: APIRequestTask {
    /// Reports the next event of the exchange.
    public typealias Emit = @Sendable (APIStreamEvent) -> Void

    private struct State {
        var isStarted = false
        var isEnded = false
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())
    /// Held while the handler runs. Recursive, so that the handler can cancel the task.
    private let handlerLock = NSRecursiveLock()
    private let eventHandler: Emit
    private let work: @Sendable (@escaping Emit) async -> Void

    /// Creates a task that reports to `eventHandler`.
    ///
    /// - Parameters:
    ///   - eventHandler: Receives the events that `work` emits, up to and including the end.
    ///   - work: The exchange, which ``resume()`` runs in a task. It must emit an end. The first end cancels that task,
    ///     and later events are ignored.
    public init(
        _ eventHandler: @escaping Emit, work: @escaping @Sendable (_ emit: @escaping Emit) async -> Void
    ) {
        (self.eventHandler, self.work) = (eventHandler, work)
    }

    /// Starts the exchange, which may report events before this method returns. Does nothing if the exchange was
    /// already started or cancelled.
    public func resume() {
        let starts = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && !state.isEnded
        }
        guard starts else { return }
        let run: @Sendable () async -> Void = { await self.work { self.emit($0) } }
        #if os(Linux)
        // Starts on this thread, because waking another thread takes longer. (Apple's 2024 platforms do not support
        // immediate tasks.)
        let task = Task.immediate(operation: run)
        #else
        let task = Task(operation: run)
        #endif
        let isEnded = state.withLock { state in
            state.task = task
            return state.isEnded
        }
        if isEnded { task.cancel() }
    }

    /// Ends the exchange with ``APITransportError/cancelled``, unless it has already ended. If the handler is running,
    /// waits until it returns.
    public func cancel() { emit(.end(.cancelled)) }

    private func emit(_ event: APIStreamEvent) {
        handlerLock.withLock {
            let passes = state.withLock { state in
                guard !state.isEnded else { return false }
                if case .end = event { state.isEnded = true }
                return true
            }
            guard passes else { return }
            eventHandler(event)
            if case .end = event { state.withLock { $0.task }?.cancel() }
        }
    }
}
