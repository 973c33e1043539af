import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a send, or a look into the cache, came to.
public struct APIResponse<T: Sendable>: Sendable {
    /// Where the answer is from.
    public enum Source: Sendable, Hashable {
        /// From the server, in this exchange; errors too, unless the cache told them.
        case network
        /// From the cache, and fresh.
        case cache
        /// From the cache, and the server said in this exchange that it still holds (304).
        case validated
        /// From the cache, too old, because the server failed and the request allows that.
        case stale
    }

    /// The request as it was sent, or would have been; nil when it could not be built.
    public var request: URLRequest?
    /// The answer's head, if there was one.
    public var response: HTTPURLResponse?
    /// The answer's body, if there was one. Nil for a download.
    public var data: Data?
    /// The value, or why there is none.
    public var result: APIResult<T>
    /// Where the answer is from.
    public var source: Source
    /// What happened on the way, in order, to be printed for a person.
    public var explanation: APIExplanation

    /// A response of these parts.
    public init(
        request: URLRequest? = nil, response: HTTPURLResponse? = nil, data: Data? = nil, result: APIResult<T>,
        source: Source = .network, explanation: APIExplanation = APIExplanation()
    ) {
        (self.request, self.response, self.data, self.result) = (request, response, data, result)
        (self.source, self.explanation) = (source, explanation)
    }
}

/// Gets a response. Called from any thread.
public typealias APICompletionHandler<T: Sendable> = @Sendable (APIResponse<T>) -> Void
