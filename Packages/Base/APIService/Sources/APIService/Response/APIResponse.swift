import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The result of a request or of a cache lookup.
public struct APIResponse<T: Sendable>: Sendable {
    /// The origin of the response.
    public typealias Source = APIResponseSource

    /// The request as it was sent, or would have been sent; `nil` if it could not be built.
    public var request: URLRequest?
    /// The response's head; `nil` if none arrived.
    public var response: HTTPURLResponse?
    /// The response's body; `nil` if none arrived or if it was downloaded to a file.
    public var data: Data?
    /// The parsed value, or the error.
    public var result: APIResult<T>
    /// The origin of the response.
    public var source: Source
    /// A human-readable record of how the response was obtained.
    public var explanation: APIExplanation

    /// Creates a response.
    public init(
        request: URLRequest? = nil, response: HTTPURLResponse? = nil, data: Data? = nil, result: APIResult<T>,
        source: Source = .network, explanation: APIExplanation = APIExplanation()
    ) {
        (self.request, self.response, self.data, self.result) = (request, response, data, result)
        (self.source, self.explanation) = (source, explanation)
    }
}

/// The origin of a response.
public enum APIResponseSource: Sendable, Hashable {
    /// From the server. Errors have this source too, unless the cache lookup reported them.
    case network
    /// From the cache, still fresh.
    case cache
    /// From the cache, validated by the server (304) in this exchange.
    case validated
    /// From the cache although expired, because the server failed and the request allows stale responses.
    case stale
}

/// Receives a response. Called on any thread.
public typealias APICompletionHandler<T: Sendable> = @Sendable (APIResponse<T>) -> Void
