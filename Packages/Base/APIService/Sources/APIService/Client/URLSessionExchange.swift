import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange: tells its handler what the session tells the hub.
///
/// The handler is called on the session's delegate queue only, which is serial.
final class URLSessionExchange: APIRequestTask {
    private enum State {
        case created
        case started
        case ended
    }

    private let state = Locked(State.created)
    /// Set on the delegate queue only.
    private let redirectCount = Locked(0)
    private let task: URLSessionTask
    /// Keeps the session alive, which the client would end when it goes.
    private let session: URLSession
    private let hub: URLSessionDelegateHub
    private let progressHandler: APIProgressHandler?
    private let eventHandler: @Sendable (APIStreamEvent) -> Void

    init(
        _ task: URLSessionTask, session: URLSession, hub: URLSessionDelegateHub,
        progressHandler: APIProgressHandler?, eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) {
        (self.task, self.session, self.hub) = (task, session, hub)
        (self.progressHandler, self.eventHandler) = (progressHandler, eventHandler)
    }

    func resume() {
        let starts = state.withLock { state in
            guard case .created = state else { return false }
            state = .started
            return true
        }
        guard starts else { return }
        hub.add(self, for: task)
        task.resume()
        // Cancelled meanwhile, by somebody who saw a task that had not been started.
        if !isUnderWay {
            hub.remove(task)
            task.cancel()
        }
    }

    func cancel() {
        // The end is told from the queue that all events are told from, and not left to the session: on Linux
        // it may be late or never come.
        hub.queue.addOperation { self.end(.cancelled) }
        if state.withLock({ if case .started = $0 { true } else { false } }) { task.cancel() }
    }

    // MARK: On the delegate queue

    private var isUnderWay: Bool { state.withLock { if case .started = $0 { true } else { false } } }

    func head(_ head: HTTPURLResponse) {
        if isUnderWay { eventHandler(.head(head)) }
    }

    func piece(_ piece: Data) {
        if isUnderWay, !piece.isEmpty { eventHandler(.piece(piece)) }
    }

    func sent(_ count: Int64, of total: Int64) {
        guard isUnderWay else { return }
        progressHandler?(APIProgress(.upload, completed: count, total: total > 0 ? total : nil))
    }

    func redirects() -> Int {
        redirectCount.withLock { count in
            count += 1
            return count
        }
    }

    func end(_ error: APITransportError?) {
        let isFirst = state.withLock { state in
            if case .ended = state { return false }
            state = .ended
            return true
        }
        guard isFirst else { return }
        hub.remove(task)
        eventHandler(.end(error))
    }
}
