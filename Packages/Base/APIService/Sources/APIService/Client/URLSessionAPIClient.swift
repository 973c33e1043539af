import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client that uses `URLSession` and has no dependencies besides the toolchain.
///
/// The client uses one session for all exchanges, and no download tasks: downloads are data tasks whose
/// pieces are written to a file, because on Linux `URLSession`'s own download tasks crash
/// (swift-corelibs-foundation#5469) and cannot be resumed. A cancelled exchange ends immediately, even if its
/// `URLSessionTask` is still running.
///
/// All operations are thread-safe. The handlers of all exchanges share one serial queue, so a slow handler
/// delays the others. Running exchanges keep the client alive.
public final class URLSessionAPIClient: APIStreamingClient {
    let session: URLSession
    let hub: URLSessionDelegateHub

    /// Creates a client with a session of its own.
    ///
    /// - Parameters:
    ///   - maximumConnectionsPerHost: The maximum number of connections to one host.
    ///   - redirects: Decides how redirects are followed.
    public init(maximumConnectionsPerHost: Int = 6, redirects: RedirectPolicy = RedirectPolicy()) {
        let configuration = Self.configuration()
        configuration.httpMaximumConnectionsPerHost = maximumConnectionsPerHost
        let queue = Self.serialQueue("APIService.URLSessionAPIClient")
        hub = URLSessionDelegateHub(redirects: redirects, queue: queue)
        session = URLSession(configuration: configuration, delegate: hub, delegateQueue: queue)
    }

    /// The credential fields of the redirect policy.
    public var credentialFields: Set<String> { hub.redirects.credentialFields }

    deinit { session.finishTasksAndInvalidate() }

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

    /// Creates an exchange that uses a data task, or an upload task if the body is a file.
    public func createStreamRequest(
        request: URLRequest, upload: APIUpload?, progressHandler: APIProgressHandler?,
        eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask {
        var request = Self.timed(request)
        if case .data(let body) = upload { request.httpBody = body }
        return URLSessionExchange(
            request, upload: upload, client: self, progressHandler: progressHandler,
            eventHandler: eventHandler)
    }

    /// Creates the queue on which the session calls its delegate.
    private static func serialQueue(_ name: String) -> OperationQueue {
        #if os(Linux)
        return DispatchedOperationQueue(name)
        #else
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = name
        return queue
        #endif
    }

    /// Returns the request with a timeout that the platform supports.
    private static func timed(_ request: URLRequest) -> URLRequest {
        #if os(Linux)
        // Linux truncates the timeout to whole seconds: half a second would become 0, and infinity would
        // crash.
        let timeout = min(request.timeoutInterval.rounded(.up), 1e9)
        // Most timeouts are whole seconds already; changing the request would copy it.
        if timeout == request.timeoutInterval { return request }
        var request = request
        request.timeoutInterval = timeout
        #endif
        return request
    }
}
