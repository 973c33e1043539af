import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What one request to a server says, and what its answer is parsed into.
///
/// A domain (one server, one envelope, one way to sign) refines this protocol once, with defaults for what
/// its requests share; a request then states its path and its response.
///
/// The interceptors are for what a whole domain shares. They are called in this order, at most once a send:
/// ``intercept(parameters:)``, ``intercept(urlRequest:)`` and, when there is something to deliver,
/// ``intercept(request:response:replaceResponseHandler:)``. What must be done anew for every attempt (a token,
/// a signature over the time) is an ``APIAccessory``.
///
/// Source: seeds/5-CSAPIService.md, "APIRequest 协议".
public protocol APIRequest: Sendable {
    /// What the answer is parsed into.
    associatedtype Response: APIParsable

    /// The server, and what all its paths start with.
    var baseURL: URL { get }

    /// The path behind ``baseURL``, as plain text: it is escaped when the URL is built, its slashes are not.
    var path: String { get }

    /// The method.
    var method: APIRequestMethod { get }

    /// The parameters, which ``encoding`` puts into the URL or the body. None by default.
    var parameters: APIParameters? { get }

    /// The header fields. None by default.
    var headers: APIRequestHeaders? { get }

    /// What is done with body and answer. ``APIRequestTaskType/request`` by default.
    var taskType: APIRequestTaskType { get }

    /// How the parameters are encoded. ``APIURLEncoding/default`` by default.
    var encoding: any APIParameterEncoding { get }

    /// How the answer is cached. Not at all by default.
    var cache: APICache? { get }

    /// The status codes that are no error. 200 to 299 by default; a 304 to a validation of the library's own
    /// is never one.
    var acceptableStatusCodes: Range<Int> { get }

    /// How long the whole send may take, from the parameters to the delivery, retries included; nil: as the
    /// service's settings say.
    var timeout: Duration? { get }

    /// How failed attempts are repeated; nil: as the service's settings say.
    var retry: APIRetryPolicy? { get }

    /// Whether equal requests that are under way at once share one exchange with the server. Not by default.
    /// Counts for GET, HEAD and OPTIONS only.
    ///
    /// They are equal when URL, body and all header fields are, as they are before the accessories adapt the first one's,
    /// and the users. A field that is another one in each send, an id of the request say, is best an accessory's.
    var coalesces: Bool { get }

    /// The parameters to encode. Unchanged by default.
    ///
    /// - Throws: ``APIVeto`` to refuse the request, or whatever keeps it from being built.
    func intercept(parameters: APIParameters?) throws -> APIParameters?

    /// The request to send. Unchanged by default.
    ///
    /// - Throws: ``APIVeto`` to refuse the request, or whatever keeps it from being built.
    func intercept(urlRequest: URLRequest) throws -> URLRequest

    /// Looks at what is about to be delivered and answers with what shall be, now or later, from any thread.
    ///
    /// `replaceResponseHandler` must be called; its first call counts, further ones do nothing. Until then the
    /// send is under way: its time limit and its cancellation end the wait, with the error of either.
    func intercept<U: APIRequest>(
        request: U, response: APIResponse<Response>,
        replaceResponseHandler: @escaping APICompletionHandler<Response>)
}

extension APIRequest {
    /// GET.
    public var method: APIRequestMethod { .get }
    /// None.
    public var parameters: APIParameters? { nil }
    /// None.
    public var headers: APIRequestHeaders? { nil }
    /// In memory.
    public var taskType: APIRequestTaskType { .request }
    /// By the method.
    public var encoding: any APIParameterEncoding { APIURLEncoding.default }
    /// Not cached.
    public var cache: APICache? { nil }
    /// 200 to 299.
    public var acceptableStatusCodes: Range<Int> { 200..<300 }
    /// As the service's settings say.
    public var timeout: Duration? { nil }
    /// As the service's settings say.
    public var retry: APIRetryPolicy? { nil }
    /// Not shared.
    public var coalesces: Bool { false }

    /// The parameters as they are.
    public func intercept(parameters: APIParameters?) throws -> APIParameters? { parameters }

    /// The request as it is.
    public func intercept(urlRequest: URLRequest) throws -> URLRequest { urlRequest }

    /// Answers at once with the response as it is.
    public func intercept<U: APIRequest>(
        request: U, response: APIResponse<Response>,
        replaceResponseHandler: @escaping APICompletionHandler<Response>
    ) {
        replaceResponseHandler(response)
    }
}
