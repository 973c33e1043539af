import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange, which forwards the session's events to its handler.
///
/// The exchange follows redirects itself, each with a new task, because on Linux the session's own redirects lose the
/// body of a 307.
///
/// Handlers run on the session's queue, one at a time. A cancelled exchange ends on the caller's thread, or if a handler
/// is running, when it returns. Only the tasks queue waits for the session: see ``URLSessionDelegateHub/tasks``.
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
        /// Whether a handler is running, after which a cancelled exchange ends.
        var isReporting = false
        var request: URLRequest
        var task: URLSessionTask?
        var head: HTTPURLResponse?
        /// Whether the server has sent a challenge. On Linux, the session cancels a challenged task after the body.
        var isChallenged = false
        var redirects = 0
        /// The declared length of the current response's body, before its coding was removed; `nil` if it is unknown.
        var expected: Int64?
        var received: Int64 = 0

        var isUnderWay: Bool {
            if case .started = phase { return !isCancelled }
            return false
        }

        /// The error of a response that the session reports as complete although its body is too short.
        var truncation: APITransportError? {
            guard let expected, received < expected, let head, !head.isEncoded, request.httpMethod != "HEAD",
                head.statusCode != 204, head.statusCode != 304
            else { return nil }
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
        let starts = state.withLock { state in
            guard case .created = state.phase else { return false }
            state.phase = .started
            return true
        }
        if starts { startTask() }
    }

    func cancel() {
        let ends = state.withLock { state in
            state.isCancelled = true
            return !state.isReporting
        }
        if ends { end(.cancelled) }
    }

    /// Creates the task of the current request, unless the exchange ends first.
    private func startTask() {
        URLSessionDelegateHub.tasks.async {
            let request = self.state.withLock { $0.isUnderWay ? $0.request : nil }
            guard let request else { return }
            let task = self.makeTask(request)
            self.client.hub.add(self, for: task)
            let isUnderWay = self.state.withLock { state in
                state.task = task
                return state.isUnderWay
            }
            guard isUnderWay else {
                self.client.hub.remove(task)
                return task.cancel()
            }
            task.resume()
        }
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

    // MARK: On the session's queue

    /// Runs a handler, unless the exchange has ended.
    private func report(_ handler: () -> Void) {
        let passes = state.withLock { state in
            state.isReporting = state.isUnderWay
            return state.isReporting
        }
        guard passes else { return }
        handler()
        let isCancelled = state.withLock { state in
            state.isReporting = false
            return state.isCancelled
        }
        if isCancelled { end(.cancelled) }
    }

    func head(_ head: HTTPURLResponse) {
        do {
            let length = try head.declaredLength()
            state.withLock { ($0.head, $0.expected, $0.received) = (head, length, 0) }
        } catch {
            return end(.broken(error))
        }
        report { eventHandler(.head(head)) }
    }

    func piece(_ piece: Data) {
        guard !piece.isEmpty else { return }
        state.withLock { $0.received += Int64(piece.count) }
        report { eventHandler(.piece(piece)) }
    }

    func sent(_ count: Int64, of total: Int64) {
        guard let progressHandler else { return }
        report { progressHandler(APIProgress(.upload, completed: count, total: total > 0 ? total : nil)) }
    }

    /// Called when the server redirects. Follows the redirect with a new task if the policy allows it. The rest of the
    /// redirect's own response is then ignored: its body may never end.
    func redirected(_ task: URLSessionTask, _ response: HTTPURLResponse) {
        let isFollowed = state.withLock { state in
            guard state.redirects < redirects.limit,
                let next = redirects.next(
                    after: state.request, status: response.statusCode,
                    location: response.value(forHTTPHeaderField: "Location"))
            else { return false }
            state.redirects += 1
            (state.request, state.head, state.expected) = (next, nil, nil)
            return true
        }
        guard isFollowed else { return }
        client.hub.remove(task)
        startTask()
        #if !os(Linux)
        // On Linux, the session calls this method only after the body has ended.
        task.cancel()
        #endif
    }

    /// Called when the task has ended.
    func finished(_ error: APITransportError?) {
        let (task, head, isChallenged, truncation) = state.withLock {
            ($0.task, $0.head, $0.isChallenged, $0.truncation)
        }
        var error = error
        // On Linux, the session does not report the response head of a challenge, or of a redirect without a usable
        // Location.
        if let response = task?.response as? HTTPURLResponse,
            isChallenged || head == nil && (300..<400).contains(response.statusCode)
        {
            if head == nil { report { eventHandler(.head(response)) } }
            if case .cancelled? = error { error = nil }
        }
        // Not every session reports an error for a body that ends before its declared length.
        end(error ?? truncation, isOver: true)
    }

    /// Called when the server asks for credentials. The server's response is delivered unchanged.
    func challenged() { state.withLock { $0.isChallenged = true } }

    /// Ends the exchange because its server is not trusted.
    func mistrusted(_ error: APIUntrustedServer) { end(.broken(error)) }

    /// Ends the exchange, and cancels its task if the session has not reported its end.
    private func end(_ error: APITransportError?, isOver: Bool = false) {
        let (isFirst, isCancelled, task) = state.withLock { state in
            if case .ended = state.phase { return (false, false, URLSessionTask?.none) }
            state.phase = .ended
            return (true, state.isCancelled, state.task)
        }
        guard isFirst else { return }
        if let task { client.hub.remove(task) }
        // Pieces may have been dropped since the cancellation, so the response is not complete, even if the
        // session reports success.
        eventHandler(.end(isCancelled ? .cancelled : error))
        // The handler comes first, because cancelling waits for the session.
        guard let task, !isOver else { return }
        // Here, and not on the tasks queue, which may already wait for the session.
        let readOn = client.session(for: state.withLock { $0.request }).pauseReading()
        URLSessionDelegateHub.tasks.async {
            task.cancel()
            readOn()
        }
    }
}
