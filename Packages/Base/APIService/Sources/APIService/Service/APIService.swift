import Foundation
import Locking

/// Sends requests: the whole library behind two methods.
///
/// ```swift
/// let banner = try await APIService.sendRequest(HomeBannerAPI.HomeBannerRequest())
/// ```
///
/// A send goes through the stages of ``APIStage``, in their order; what each did stands in the response's
/// ``APIResponse/explanation``. The class methods use ``default``.
///
/// All operations are safe from every thread.
///
/// Source: seeds/5-CSAPIService.md, "APIService".
public final class APIService: Sendable {
    private static let current = Locked(APIService(client: URLSessionAPIClient()))

    /// What the class methods use: a service over `URLSession` with ``APIConfig/shared``, unless it was replaced,
    /// mostly at launch.
    public static var `default`: APIService {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// The sender.
    public let client: any APIClient

    /// The settings.
    public let config: APIConfig

    /// What equal requests share.
    let coalescer = Coalescer()

    /// What ends sends at their time limits.
    let deadlines = Deadlines(clock: ContinuousClock())

    /// A service that sends with `client`.
    public init(client: any APIClient, config: APIConfig = .shared) {
        (self.client, self.config) = (client, config)
    }

    // MARK: Async

    /// Sends a request and returns its value.
    ///
    /// The stages up to the cache run before the first suspension, on the caller's actor; so does `cacheHandler`.
    /// Cancelling the task ends the send, down to the connection.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - plugins: Watch, and may change, this send.
    ///   - encoding: In place of the request's.
    ///   - progressHandler: Told how far the transport has come.
    ///   - cacheHandler: Told what the cache said, before any network: an answer, or
    ///     ``APICacheError/missing`` or ``APICacheError/expired``.
    /// - Throws: Why there is no value.
    public nonisolated(nonsending) func sendRequest<T: APIRequest>(
        _ request: T, plugins: [any APIPlugin] = [], encoding: (any APIParameterEncoding)? = nil,
        progressHandler: APIProgressHandler? = nil, cacheHandler: APICompletionHandler<T.Response>? = nil
    ) async throws(APIError) -> T.Response {
        try await response(
            to: request, plugins: plugins, encoding: encoding, progressHandler: progressHandler,
            cacheHandler: cacheHandler
        ).result.get()
    }

    /// Sends a request and returns all there is to know about how it went. As
    /// ``sendRequest(_:plugins:encoding:progressHandler:cacheHandler:)-method``, but that a failure is a result.
    public nonisolated(nonsending) func response<T: APIRequest>(
        to request: T, plugins: [any APIPlugin] = [], encoding: (any APIParameterEncoding)? = nil,
        progressHandler: APIProgressHandler? = nil, cacheHandler: APICompletionHandler<T.Response>? = nil
    ) async -> APIResponse<T.Response> {
        let pipeline = Pipeline(
            request, plugins: plugins, encoding: encoding, service: self, progressHandler: progressHandler,
            cacheHandler: cacheHandler)
        if Task.isCancelled { pipeline.signal.fire(.cancelled) }
        let front = pipeline.begin()
        return await withTaskCancellationHandler {
            await pipeline.run(front)
        } onCancel: {
            pipeline.signal.fire(.cancelled)
        }
    }

    // MARK: Completion handler

    /// Sends a request and hands its response to `completionHandler`, exactly once, whatever happens.
    ///
    /// The stages up to the cache run before this returns, in the calling thread; so does `cacheHandler`. When
    /// the cache's answer ends the send, the completion handler gets it too, with
    /// ``APIResponse/Source/cache`` as its source. It is never called from within this call; from another thread it
    /// may be called before this has returned.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - plugins: Watch, and may change, this send.
    ///   - encoding: In place of the request's.
    ///   - callbackQueue: Where the completion handler is called: the main queue, say. When nil, it is called in
    ///     any thread. Progress and plugins are told in any thread all the same.
    ///   - progressHandler: Told how far the transport has come.
    ///   - cacheHandler: Told what the cache said, before any network.
    ///   - completionHandler: Gets the response.
    /// - Returns: The send, under way; its `cancel()` completes it with ``APIError/cancelled``.
    @discardableResult
    public func sendRequest<T: APIRequest>(
        _ request: T, plugins: [any APIPlugin] = [], encoding: (any APIParameterEncoding)? = nil,
        callbackQueue: DispatchQueue? = nil, progressHandler: APIProgressHandler? = nil,
        cacheHandler: APICompletionHandler<T.Response>? = nil,
        completionHandler: @escaping APICompletionHandler<T.Response>
    ) -> any APIRequestTask {
        let pipeline = Pipeline(
            request, plugins: plugins, encoding: encoding, service: self, progressHandler: progressHandler,
            cacheHandler: cacheHandler)
        let front = pipeline.begin()
        Task {
            await pipeline.run(front) { response in
                guard let callbackQueue else { return completionHandler(response) }
                // Waited for, so that the plugins' `didReceive` comes after it.
                await withCheckedContinuation { (called: CheckedContinuation<Void, Never>) in
                    callbackQueue.async {
                        completionHandler(response)
                        called.resume()
                    }
                }
            }
        }
        return SendTask(signal: pipeline.signal)
    }

    // MARK: With the default service

    /// Sends a request with ``default`` and returns its value.
    ///
    /// - Throws: Why there is no value.
    public nonisolated(nonsending) static func sendRequest<T: APIRequest>(
        _ request: T, plugins: [any APIPlugin] = [], encoding: (any APIParameterEncoding)? = nil,
        progressHandler: APIProgressHandler? = nil, cacheHandler: APICompletionHandler<T.Response>? = nil
    ) async throws(APIError) -> T.Response {
        try await `default`.sendRequest(
            request, plugins: plugins, encoding: encoding, progressHandler: progressHandler,
            cacheHandler: cacheHandler)
    }

    /// Sends a request with ``default`` and returns all there is to know about how it went.
    public nonisolated(nonsending) static func response<T: APIRequest>(
        to request: T, plugins: [any APIPlugin] = [], encoding: (any APIParameterEncoding)? = nil,
        progressHandler: APIProgressHandler? = nil, cacheHandler: APICompletionHandler<T.Response>? = nil
    ) async -> APIResponse<T.Response> {
        await `default`.response(
            to: request, plugins: plugins, encoding: encoding, progressHandler: progressHandler,
            cacheHandler: cacheHandler)
    }

    /// Sends a request with ``default`` and hands its response to `completionHandler`, exactly once.
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

/// A send that is under way.
struct SendTask: APIRequestTask {
    let signal: CancelSignal

    /// Does nothing: a send starts at once.
    func resume() {}

    func cancel() { signal.fire(.cancelled) }
}
