import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The client over `URLSession`: the toolchain alone.
///
/// One session for all exchanges, and data tasks only: downloads are data tasks whose pieces are written to a
/// file, because `URLSession`'s own download tasks crash on Linux (swift-corelibs-foundation#5469) and cannot
/// resume there. A cancelled exchange ends at once, whatever its `URLSessionTask` still does.
///
/// All operations are safe from every thread. The handlers of all exchanges share one serial queue: one that takes
/// long keeps the others waiting. Exchanges that are under way keep the client alive.
public final class URLSessionAPIClient: APIStreamingClient {
    let session: URLSession
    let hub: URLSessionDelegateHub

    /// A client with a session of its own.
    ///
    /// - Parameters:
    ///   - maximumConnectionsPerHost: How many connections to one host there are at most.
    ///   - redirects: What is sent to where a server redirects.
    public init(maximumConnectionsPerHost: Int = 6, redirects: RedirectPolicy = RedirectPolicy()) {
        let configuration = Self.configuration()
        configuration.httpMaximumConnectionsPerHost = maximumConnectionsPerHost
        let queue = Self.serialQueue("APIService.URLSessionAPIClient")
        hub = URLSessionDelegateHub(redirects: redirects, queue: queue)
        session = URLSession(configuration: configuration, delegate: hub, delegateQueue: queue)
    }

    /// Those of the redirects' policy.
    public var credentialFields: Set<String> { hub.redirects.credentialFields }

    deinit { session.finishTasksAndInvalidate() }

    /// The configuration of a client's session: nothing is cached, and no cookie is kept.
    public static func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        return configuration
    }

    /// An exchange by a data task, or by an upload task when the body is a file.
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

    /// The queue on which the session tells its delegate what comes.
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

    /// The request, with a time-out that the platform can take.
    private static func timed(_ request: URLRequest) -> URLRequest {
        #if os(Linux)
        // Linux takes the whole seconds of it, as an integer: half a second would be none, and infinity a crash.
        let timeout = min(request.timeoutInterval.rounded(.up), 1e9)
        // Most are whole; a request that is changed is copied.
        if timeout == request.timeoutInterval { return request }
        var request = request
        request.timeoutInterval = timeout
        #endif
        return request
    }
}
