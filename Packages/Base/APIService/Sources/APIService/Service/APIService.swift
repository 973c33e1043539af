import APITransport
import Foundation
import Locking

/// Sends requests, with caching, retries and parsing.
///
/// ```swift
/// let banner = try await APIService.sendRequest(HomeBannerAPI.HomeBannerRequest())
/// ```
///
/// A request passes through the stages of ``APIStage`` in order. The response's ``APIResponse/explanation``
/// records what happened in each stage. The static methods use ``default``.
///
/// All operations are thread-safe.
///
/// Source: seed 5, "APIService".
public final class APIService: Sendable {
    private static let current = Locked(APIService())

    /// The service that the static methods use.
    ///
    /// Initially, a service that uses `URLSession` and ``APIConfig/shared``. An app usually replaces it at launch.
    public static var `default`: APIService {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// The client that sends the requests.
    public let client: any APIClient

    /// The settings of this service.
    public let config: APIConfig

    /// Ends requests at their time limits.
    let deadlines = Deadlines(clock: ContinuousClock())

    /// Creates a service that sends its requests with `client`.
    ///
    /// The default client is for Apple platforms. On Linux, a server can end a process that uses `URLSession`, so pass
    /// an `AsyncHTTPAPIClient` there, unless you trust all servers. See <doc:Transports>.
    public init(client: any APIClient = URLSessionAPIClient(), config: APIConfig = .shared) {
        (self.client, self.config) = (client, config)
    }

    // MARK: Async

    /// Sends a request and returns its parsed value.
    ///
    /// Builds the request and calls the interceptors on the caller's actor. The request is sent and its response parsed
    /// off that actor, so that a large response does not block it. Cancelling the task cancels the request and its
    /// connection.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - plugins: Plugins that observe, and may change, this request.
    ///   - encoding: The parameter encoding to use instead of the request's own.
    ///   - progressHandler: Called with the progress of the transfer.
    ///   - cacheHandler: Called on any thread with the result of the cache lookup, before anything is sent: a
    ///     response or an ``APICacheError``.
    /// - Throws: The ``APIError`` that ended the request.
    public nonisolated(nonsending) func sendRequest<T: APIRequest>(
        _ request: T, plugins: [any APIPlugin] = [], encoding: (any APIParameterEncoding)? = nil,
        progressHandler: APIProgressHandler? = nil, cacheHandler: APICompletionHandler<T.Response>? = nil
    ) async throws(APIError) -> T.Response {
        try await response(
            to: request, plugins: plugins, encoding: encoding, progressHandler: progressHandler,
            cacheHandler: cacheHandler
        ).result.get()
    }

    /// Sends a request and returns its response, which includes its source and an explanation.
    ///
    /// Like ``sendRequest(_:plugins:encoding:progressHandler:cacheHandler:)-method``, except that a failure is returned
    /// instead of thrown.
    public nonisolated(nonsending) func response<T: APIRequest>(
        to request: T, plugins: [any APIPlugin] = [], encoding: (any APIParameterEncoding)? = nil,
        progressHandler: APIProgressHandler? = nil, cacheHandler: APICompletionHandler<T.Response>? = nil
    ) async -> APIResponse<T.Response> {
        let call = Call(
            request, plugins: plugins, encoding: encoding, service: self, progressHandler: progressHandler,
            cacheHandler: cacheHandler, isCancelled: Task.isCancelled)
        return await withTaskCancellationHandler {
            await call.run(request, plugins: plugins)
        } onCancel: {
            call.signal.cancel()
        }
    }

    // MARK: Completion handler

    /// Sends a request and calls `completionHandler` exactly once with its response, whatever happens.
    ///
    /// Builds the request on the calling thread. If a cached response ends the request, `completionHandler`
    /// receives it too, with ``APIResponseSource/cache`` as its source. This method never calls a handler
    /// itself, but another thread may call one before this method returns. The other parameters are those of
    /// ``sendRequest(_:plugins:encoding:progressHandler:cacheHandler:)-method``.
    ///
    /// `completionHandler` receives the response on `callbackQueue`, for example the main queue, or on any thread if
    /// `callbackQueue` is `nil`. Progress handlers and plugins are called on any thread in either case.
    ///
    /// - Returns: The running request. Its `cancel()` completes the request with ``APIError/cancelled``.
    @discardableResult
    public func sendRequest<T: APIRequest>(
        _ request: T, plugins: [any APIPlugin] = [], encoding: (any APIParameterEncoding)? = nil,
        callbackQueue: DispatchQueue? = nil, progressHandler: APIProgressHandler? = nil,
        cacheHandler: APICompletionHandler<T.Response>? = nil,
        completionHandler: @escaping APICompletionHandler<T.Response>
    ) -> any APIRequestTask {
        let call = Call(
            request, plugins: plugins, encoding: encoding, service: self, progressHandler: progressHandler,
            cacheHandler: cacheHandler)
        Task {
            await call.run(request, plugins: plugins) { response in
                guard let callbackQueue else { return completionHandler(response) }
                // Wait for the completion handler, so that the plugins' `didReceive` runs after it.
                await withCheckedContinuation { (called: CheckedContinuation<Void, Never>) in
                    callbackQueue.async {
                        completionHandler(response)
                        called.resume()
                    }
                }
            }
        }
        return call.signal
    }

    // MARK: With the default service

    /// Sends a request with ``default`` and returns its parsed value.
    ///
    /// - Throws: The ``APIError`` that ended the request.
    public nonisolated(nonsending) static func sendRequest<T: APIRequest>(
        _ request: T, plugins: [any APIPlugin] = [], encoding: (any APIParameterEncoding)? = nil,
        progressHandler: APIProgressHandler? = nil, cacheHandler: APICompletionHandler<T.Response>? = nil
    ) async throws(APIError) -> T.Response {
        try await `default`.sendRequest(
            request, plugins: plugins, encoding: encoding, progressHandler: progressHandler,
            cacheHandler: cacheHandler)
    }

    /// Sends a request with ``default`` and returns its response, which includes its source and an
    /// explanation.
    public nonisolated(nonsending) static func response<T: APIRequest>(
        to request: T, plugins: [any APIPlugin] = [], encoding: (any APIParameterEncoding)? = nil,
        progressHandler: APIProgressHandler? = nil, cacheHandler: APICompletionHandler<T.Response>? = nil
    ) async -> APIResponse<T.Response> {
        await `default`.response(
            to: request, plugins: plugins, encoding: encoding, progressHandler: progressHandler,
            cacheHandler: cacheHandler)
    }

    /// Sends a request with ``default`` and calls `completionHandler` exactly once with its response.
    @discardableResult
    public static func sendRequest<T: APIRequest>(
        _ request: T, plugins: [any APIPlugin] = [], encoding: (any APIParameterEncoding)? = nil,
        callbackQueue: DispatchQueue? = nil, progressHandler: APIProgressHandler? = nil,
        cacheHandler: APICompletionHandler<T.Response>? = nil,
        completionHandler: @escaping APICompletionHandler<T.Response>
    ) -> any APIRequestTask {
        `default`.sendRequest(
            request, plugins: plugins, encoding: encoding, callbackQueue: callbackQueue,
            progressHandler: progressHandler, cacheHandler: cacheHandler, completionHandler: completionHandler
        )
    }
}

extension CancelSignal: APIRequestTask {
    /// Does nothing, because a request starts immediately.
    func resume() {}

    func cancel() { fire(.cancelled) }
}
