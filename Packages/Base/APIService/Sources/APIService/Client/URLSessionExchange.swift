import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange: tells its handler what the session tells the hub, and follows redirects itself, with a task
/// each: on Linux the session's own way loses the body of a 307.
///
/// The handler is called on the session's delegate queue only, which is serial.
final class URLSessionExchange: APIRequestTask {
    private enum Phase {
        case created
        case started
        case ended
    }

    private struct State {
        var phase = Phase.created
        /// From then on nothing is told but the end.
        var isCancelled = false
        var request: URLRequest
        var task: URLSessionTask?
        var redirects = 0
        /// What is sent when the task that was redirected has come to its end.
        var next: URLRequest?
    }

    private let state: Locked<State>
    private let upload: APIUpload?
    /// Kept alive by what it sends: when it goes, its session takes no more tasks, and a redirect is one more.
    private let client: URLSessionAPIClient
    private let progressHandler: APIProgressHandler?
    private let eventHandler: @Sendable (APIStreamEvent) -> Void

    init(
        _ request: URLRequest, upload: APIUpload?, client: URLSessionAPIClient,
        progressHandler: APIProgressHandler?, eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) {
        state = Locked(State(request: request))
        (self.upload, self.client) = (upload, client)
        (self.progressHandler, self.eventHandler) = (progressHandler, eventHandler)
    }

    func resume() {
        let request = state.withLock { state -> URLRequest? in
            guard case .created = state.phase, !state.isCancelled else { return nil }
            state.phase = .started
            return state.request
        }
        if let request { start(request) }
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        // The end is told from the queue that all events are told from, and not left to the session: on Linux
        // it may be late or never come.
        client.hub.queue.addOperation { self.end(.cancelled) }
    }

    private func start(_ request: URLRequest) {
        let task = makeTask(request)
        client.hub.add(self, for: task)
        let isUnderWay = state.withLock { state in
            state.task = task
            if case .started = state.phase { return !state.isCancelled }
            return false
        }
        guard isUnderWay else {
            client.hub.remove(task)
            return task.cancel()
        }
        task.resume()
    }

    private func makeTask(_ request: URLRequest) -> URLSessionTask {
        // A redirect that became a GET has no body any more.
        let keepsBody = state.withLock { $0.redirects == 0 } || request.httpMethod != "GET"
        switch upload {
        case .file(let file) where keepsBody: return client.session.uploadTask(with: request, fromFile: file)
        default: return client.session.dataTask(with: request)
        }
    }

    // MARK: On the delegate queue

    private var isUnderWay: Bool {
        state.withLock { state in
            if case .started = state.phase { return state.next == nil && !state.isCancelled }
            return false
        }
    }

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

    /// The server redirects. What of that answer is still to come is not told.
    func redirected(_ response: HTTPURLResponse, policy: RedirectPolicy) {
        state.withLock { state in
            guard state.redirects < policy.limit else { return }
            state.next = policy.next(
                after: state.request, status: response.statusCode,
                location: response.value(forHTTPHeaderField: "Location"))
            state.redirects += 1
        }
    }

    /// The task has come to its end.
    func finished(_ error: APITransportError?) {
        let (task, next) = state.withLock { state in
            defer { state.next = nil }
            guard case .started = state.phase, let next = state.next else {
                return (state.task, URLRequest?.none)
            }
            state.request = next
            return (state.task, next)
        }
        guard let next else { return end(error) }
        if let task { client.hub.remove(task) }
        start(next)
    }

    private func end(_ error: APITransportError?) {
        let (isFirst, isCancelled, task) = state.withLock { state -> (Bool, Bool, URLSessionTask?) in
            if case .ended = state.phase { return (false, false, nil) }
            state.phase = .ended
            return (true, state.isCancelled, state.task)
        }
        guard isFirst else { return }
        // Once cancelled, pieces were not told: whatever the session says, the answer is not whole.
        let error = isCancelled ? .cancelled : error
        if let task {
            client.hub.remove(task)
            if case .cancelled = error { task.cancel() }
        }
        eventHandler(.end(error))
    }
}
