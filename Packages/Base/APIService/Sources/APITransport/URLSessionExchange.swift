import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange, which forwards the session's events to its handler.
///
/// The exchange follows redirects itself, each with a new task, because on Linux the session's own redirects lose the
/// body of a 307. The handler is called only on the session's delegate queue, which is serial.
final class URLSessionExchange: APIRequestTask {
    private enum Phase {
        case created
        case started
        case ended
    }

    private struct State {
        var phase = Phase.created
        /// Once this is true, the handler receives only the end.
        var isCancelled = false
        var request: URLRequest
        var task: URLSessionTask?
        var hasHead = false
        /// Whether the server has sent a challenge. On Linux, the session cancels a challenged task after the body.
        var isChallenged = false
        var redirects = 0
        /// The declared length of the current response's body; `nil` if the length is unknown.
        var expected: Int64?
        var received: Int64 = 0

        /// The error of a response that the session reports as complete although its body is too short.
        var truncation: APITransportError? {
            guard !isCancelled, let expected, received < expected else { return nil }
            return .broken(URLError(.networkConnectionLost))
        }
    }

    private let state: Locked<State>
    private let upload: APIUpload?
    /// Keeps the client alive, because a redirect needs a new task, and the session of a deallocated client
    /// accepts no new tasks.
    private let client: URLSessionAPIClient
    private let redirects: RedirectPolicy
    private let progressHandler: APIProgressHandler?
    private let eventHandler: @Sendable (APIStreamEvent) -> Void

    init(
        _ request: URLRequest, upload: APIUpload?, client: URLSessionAPIClient,
        progressHandler: APIProgressHandler?, eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) {
        state = Locked(State(request: request))
        (self.upload, self.client) = (upload, client)
        redirects = client.hub.redirects.ofCurrentRequest
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
        // Report the end on the same queue as all other events, without waiting for the session: on Linux,
        // the session's own report may be late or missing.
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
        // A redirect that became a GET has no body.
        let keepsBody = state.withLock { $0.redirects == 0 } || request.httpMethod != "GET"
        let session = client.session(for: request)
        switch upload {
        case .file(let file) where keepsBody: return session.uploadTask(with: request, fromFile: file)
        default: return session.dataTask(with: request)
        }
    }

    // MARK: On the delegate queue

    private var isUnderWay: Bool {
        state.withLock { state in
            if case .started = state.phase { return !state.isCancelled }
            return false
        }
    }

    func head(_ head: HTTPURLResponse) {
        guard isUnderWay else { return }
        let (expected, task) = state.withLock { state in
            let hasBody = state.request.httpMethod != "HEAD" && ![204, 304].contains(head.statusCode)
            state.hasHead = true
            (state.expected, state.received) = (hasBody ? head.expectedLength(beyond: 0) : nil, 0)
            return (state.expected, state.task)
        }
        // Check Content-Length for conflicting values only if there is no expected length.
        guard expected != nil || head.declaredLengths.count <= 1 else {
            end(.broken(URLError(.badServerResponse)))
            task?.cancel()
            return
        }
        eventHandler(.head(head))
    }

    func piece(_ piece: Data) {
        guard isUnderWay, !piece.isEmpty else { return }
        state.withLock { $0.received += Int64(piece.count) }
        eventHandler(.piece(piece))
    }

    func sent(_ count: Int64, of total: Int64) {
        guard isUnderWay else { return }
        progressHandler?(APIProgress(.upload, completed: count, total: total > 0 ? total : nil))
    }

    /// Called when the server redirects. Follows the redirect with a new task if the policy allows it. The rest of the
    /// redirect's own response is then ignored: its body may never end.
    func redirected(_ task: URLSessionTask, _ response: HTTPURLResponse) {
        let next = state.withLock { state -> URLRequest? in
            guard state.redirects < redirects.limit,
                let next = redirects.next(
                    after: state.request, status: response.statusCode,
                    location: response.value(forHTTPHeaderField: "Location"))
            else { return nil }
            state.redirects += 1
            (state.request, state.expected) = (next, nil)
            return next
        }
        guard let next else { return }
        client.hub.remove(task)
        start(next)
        #if !os(Linux)
        // On Linux, the session calls this method only after the body has ended.
        task.cancel()
        #endif
    }

    /// Called when the task has ended.
    func finished(_ error: APITransportError?) {
        let (task, truncation, hasHead, isChallenged) = state.withLock {
            ($0.task, $0.truncation, $0.hasHead, $0.isChallenged)
        }
        // On Linux, the session does not report the response head of a challenge, or of a redirect without a usable
        // Location.
        if isUnderWay, let head = task?.response as? HTTPURLResponse,
            isChallenged || !hasHead && (300..<400).contains(head.statusCode)
        {
            if !hasHead { eventHandler(.head(head)) }
            guard case .cancelled? = error else { return end(error ?? truncation) }
            return end(truncation)
        }
        // Not every session reports an error for a body that ends before its declared length.
        end(error ?? truncation)
    }

    /// Called when the server asks for credentials. The server's response is delivered unchanged.
    func challenged() { state.withLock { $0.isChallenged = true } }

    /// Ends the exchange because its server is not trusted.
    func mistrusted(_ error: APIUntrustedServer) { end(.broken(error)) }

    private func end(_ error: APITransportError?) {
        let (isFirst, isCancelled, task) = state.withLock { state -> (Bool, Bool, URLSessionTask?) in
            if case .ended = state.phase { return (false, false, nil) }
            state.phase = .ended
            return (true, state.isCancelled, state.task)
        }
        guard isFirst else { return }
        // Pieces may have been dropped since the cancellation, so the response is not complete, even if the
        // session reports success.
        let error = isCancelled ? .cancelled : error
        if let task {
            client.hub.remove(task)
            if case .cancelled = error { task.cancel() }
        }
        eventHandler(.end(error))
    }
}
