import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client that uses `URLSession` and has no dependencies besides the toolchain. On Linux, a server can end the
/// process through bugs of `URLSession`: use `AsyncHTTPAPIClient` there, unless you trust all servers.
///
/// The client uses one session for event streams and another for all other exchanges. The client uses no download
/// tasks: downloads are data tasks whose pieces are written to a file, because on Linux `URLSession`'s own download
/// tasks crash (swift-corelibs-foundation#5469) and cannot be resumed. A cancelled exchange ends immediately, even if
/// its `URLSessionTask` is still running.
///
/// All operations are thread-safe. The handlers of all exchanges share one serial queue, on Linux with all sessions of
/// the process, so a slow handler delays the others. Running exchanges keep the client alive.
public final class URLSessionAPIClient: APIStreamingClient {
    private let session: URLSession
    /// A separate session for event streams. A stream occupies its connection for a long time, so in a shared
    /// session the streams could use up all connections, and other requests would have to wait.
    private let streams: Locked<URLSession?> = Locked(nil)
    let hub: URLSessionDelegateHub

    /// Creates a client with its own session.
    ///
    /// - Parameters:
    ///   - maximumConnectionsPerHost: The maximum number of connections to one host, not counting the
    ///     connections of event streams.
    ///   - redirects: Decides how redirects are followed.
    public convenience init(
        maximumConnectionsPerHost: Int = 6, redirects: RedirectPolicy = RedirectPolicy()
    ) {
        let configuration = Self.configuration()
        configuration.httpMaximumConnectionsPerHost = maximumConnectionsPerHost
        self.init(configuration: configuration, redirects: redirects)
    }

    /// Creates a client whose session has this configuration, for example with a proxy or with cookies. Start from
    /// ``configuration()``, which caches nothing and keeps no cookies.
    ///
    /// - Parameters:
    ///   - configuration: The configuration, which the session copies.
    ///   - redirects: Decides how redirects are followed.
    public convenience init(
        configuration: URLSessionConfiguration, redirects: RedirectPolicy = RedirectPolicy()
    ) {
        self.init(configuration, redirects, check: { _ in nil })
    }

    #if canImport(Security)
    /// Creates a client that pins public keys or trusts additional root certificates.
    ///
    /// - Parameters:
    ///   - trust: The keys and roots. If a server does not match, the client sends no request to it, and reports an
    ///     ``APIUntrustedServer``.
    ///   - configuration: See ``init(configuration:redirects:)``.
    ///   - redirects: Decides how redirects are followed.
    public convenience init(
        trust: APIServerTrust, configuration: URLSessionConfiguration = URLSessionAPIClient.configuration(),
        redirects: RedirectPolicy = RedirectPolicy()
    ) {
        self.init(configuration, redirects) { challenge in
            guard let server = challenge.protectionSpace.serverTrust else { return nil }
            try trust.check(server)
            return URLCredential(trust: server)
        }
    }
    #endif

    private init(
        _ configuration: URLSessionConfiguration, _ redirects: RedirectPolicy,
        check: @escaping URLSessionDelegateHub.Check
    ) {
        let queue = Self.delegateQueue()
        hub = URLSessionDelegateHub(redirects: redirects, queue: queue, check: check)
        session = URLSession(configuration: configuration, delegate: hub, delegateQueue: queue)
    }

    /// The credential fields of the redirect policy.
    public var credentialFields: Set<String> { hub.redirects.credentialFields }

    deinit {
        session.finishTasksAndInvalidate()
        streams.withLock { $0?.finishTasksAndInvalidate() }
    }

    /// Returns the session for a request.
    func session(for request: URLRequest) -> URLSession {
        guard request.value(forHTTPHeaderField: "Accept")?.contains("text/event-stream") == true else {
            return session
        }
        return streams.withLock { streams in
            if let streams { return streams }
            let configuration = session.configuration
            configuration.httpMaximumConnectionsPerHost = 1 << 16
            let created = URLSession(configuration: configuration, delegate: hub, delegateQueue: hub.queue)
            streams = created
            return created
        }
    }

    /// Returns the configuration of a client's session: it caches nothing and keeps no cookies.
    public static func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        return configuration
    }

    /// Creates an exchange that uses a data task, or an upload task if the body is a file. A body in pieces is first
    /// written to a temporary file, because on Linux `URLSession` cannot request the pieces one at a time.
    public func createStreamRequest(
        request: URLRequest, upload: APIUpload?, progressHandler: APIProgressHandler?,
        eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask {
        guard let url = request.url?.forHTTP else {
            return APIStreamTask(eventHandler) { $0(.end(.local(URLError(.badURL)))) }
        }
        var request = Self.timed(request)
        if url != request.url { request.url = url }
        if case .data(let body) = upload { request.httpBody = body }
        if let upload, case .pieces = upload {
            return spooled(request, upload, progressHandler, eventHandler)
        }
        do {
            _ = try upload?.length()
        } catch {
            return APIStreamTask(eventHandler) { $0(.end(.local(error))) }
        }
        return URLSessionExchange(
            request, upload: upload, client: self, progressHandler: progressHandler,
            eventHandler: eventHandler)
    }

    private func spooled(
        _ request: URLRequest, _ upload: APIUpload, _ progressHandler: APIProgressHandler?,
        _ eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask {
        let rules = RedirectRules.current
        return APIStreamTask(eventHandler) { emit in
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(
                "APIService-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            do {
                try await upload.written(to: file)
            } catch {
                return emit(.end(.local(error)))
            }
            let end: APITransportError? = await self.exchange { ended in
                RedirectRules.$current.withValue(rules) {
                    self.createStreamRequest(
                        request: request, upload: .file(file), progressHandler: progressHandler
                    ) { event in
                        if case .end(let error) = event { ended(error) } else { emit(event) }
                    }
                }
            }
            emit(.end(end))
        }
    }

    /// Creates the queue for the session's calls to its delegate.
    private static func delegateQueue() -> OperationQueue {
        #if os(Linux)
        return InlineOperationQueue()
        #else
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = "APIService.URLSessionAPIClient"
        return queue
        #endif
    }

    /// Returns the request with a timeout that the platform supports.
    private static func timed(_ request: URLRequest) -> URLRequest {
        #if os(Linux)
        // On Linux, the session truncates the timeout to whole seconds: half a second would become 0, and an
        // infinite timeout would crash the process.
        let timeout = min(request.timeoutInterval.rounded(.up), 1e9)
        // Most timeouts are whole seconds already; changing the request would copy it.
        if timeout == request.timeoutInterval { return request }
        var request = request
        request.timeoutInterval = timeout
        #endif
        return request
    }
}

#if os(Linux)

/// An operation queue that runs each block at once, on the queue of the session that adds it.
///
/// On Linux, a session does not wait for its delegate: blocks for which it had to wait would pile up in memory, with the
/// data that they contain. All sessions of the process add their blocks on one serial queue, so blocks do not overlap. A
/// block must not create, resume or cancel a task, because that waits for the same queue.
///
/// All operations are thread-safe.
final class InlineOperationQueue: OperationQueue, @unchecked Sendable {
    // Unchecked, because `OperationQueue` is unchecked too; there are no properties.
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif
