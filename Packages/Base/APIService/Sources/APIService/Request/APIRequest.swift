import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request to a server, and the type that its response is parsed into.
///
/// A domain (one server, one response envelope, one signing scheme) refines this protocol once, with defaults for
/// everything that its requests share. Each request then only declares its path and its response type.
///
/// Interceptors implement behavior that all requests of a domain share. They are called at most once per request, in
/// this order: ``intercept(parameters:)``, ``intercept(urlRequest:)`` and, if there is a response to deliver,
/// ``intercept(request:response:replaceResponseHandler:)``. Work that every attempt must repeat, for example adding a
/// token or signing the current time, belongs in an ``APIAccessory``.
///
/// A property or a request interceptor that has the name of a requirement but a different type does not compile; see
/// ``APIRequestSpelling``. If an extension declares the conformance, the compiler also warns about methods that differ
/// from a requirement in their labels or in `async`.
///
/// Source: seed 5, "APIRequest 协议".
public protocol APIRequest: Sendable, APIRequestSpelling where BodyProperty: Encodable & Sendable {
    /// The type that the response's body is parsed into.
    associatedtype Response: APIParsable

    /// The URL of the server, including the common prefix of its paths. By default, ``APISettings/baseURL`` of the
    /// service that sends the request.
    var baseURL: URL { get }

    /// The path, which is appended to ``baseURL``. It is plain text: building the URL escapes the path, but keeps its
    /// slashes. A path that is already escaped is escaped again, so its `%` becomes `%25`.
    ///
    /// A request never leaves its base: a path or a base with a segment `.` or `..` is an
    /// ``APIRequestError/invalidURL(_:)``.
    var path: String { get }

    /// The method. GET by default.
    var method: APIRequestMethod { get }

    /// The parameters, which ``encoding`` adds to the URL or the body; `nil` by default.
    ///
    /// - Throws: An error that prevents building the request.
    var parameters: APIParameters? { get throws }

    /// The body, which is sent as JSON; ``APINoBody`` by default. The parameters of a request with a body go
    /// into the query.
    var body: BodyProperty { get }

    /// The header fields; `nil` by default.
    var headers: APIRequestHeaders? { get }

    /// How the body is sent and where the response goes. ``APIRequestTaskType/request`` by default.
    var taskType: APIRequestTaskType { get }

    /// How the parameters are encoded. ``APIURLEncoding/default`` by default.
    var encoding: any APIParameterEncoding { get }

    /// How the response is cached. It is not cached by default.
    var cache: APICache? { get }

    /// The status codes that count as success. 200 to 299 by default. A 304 that validates a cached response
    /// always counts as success.
    var acceptableStatusCodes: Set<Int> { get }

    /// The time limit for the whole request, from the cache lookup to the response interceptor, including retries; `nil`
    /// uses the service's setting. Building the request is not limited, because it runs synchronously.
    var timeout: Duration? { get }

    /// The retry policy; `nil` uses the service's setting.
    var retry: APIRetryPolicy? { get }

    /// The user on whose behalf the request is made; `nil`, the default, means whoever is logged in. If no accessory
    /// adds the credentials of this user (``APIAccessory/user``), the request fails with ``APIError/userChanged``. It is
    /// needed where the caller has read the user earlier, because another user may have logged in since.
    var requiredUser: String? { get }

    /// Returns the parameters to encode. By default, returns them unchanged.
    ///
    /// - Throws: ``APIVeto`` to refuse the request, or any other error that prevents building it.
    func intercept(parameters: APIParameters?) throws -> APIParameters?

    /// Returns the request to send. By default, returns it unchanged.
    ///
    /// - Throws: ``APIVeto`` to refuse the request, or any other error that prevents building it.
    func intercept(urlRequest: URLRequest) throws -> URLRequest

    /// Replaces the response before delivery. The replacement may arrive immediately or later, on any thread.
    ///
    /// `replaceResponseHandler` must be called; only its first call has an effect. Until then, the request is still
    /// running, and its time limit or a cancellation can end it with the corresponding error. Unless you need the
    /// handler, conform to ``APIResponseInterceptor`` instead, which cannot forget to call it.
    func intercept<U: APIRequest>(
        request: U, response: APIResponse<Response>,
        replaceResponseHandler: @escaping APICompletionHandler<Response>)
}

extension URL {
    /// Stands for ``APISettings/baseURL`` in a request without its own server. Not the URL of any server.
    static let ofService = URL(filePath: "/")
}

/// The default implementations.
extension APIRequest {
    public var baseURL: URL { .ofService }
    public var method: APIRequestMethod { .get }
    public var parameters: APIParameters? { nil }
    public var body: APINoBody { APINoBody() }
    public var headers: APIRequestHeaders? { nil }
    public var taskType: APIRequestTaskType { .request }
    public var encoding: any APIParameterEncoding { APIURLEncoding.default }
    public var cache: APICache? { nil }
    public var acceptableStatusCodes: Set<Int> { APIStatusCodes.successes }
    public var timeout: Duration? { nil }
    public var retry: APIRetryPolicy? { nil }
    public var requiredUser: String? { nil }

    public func intercept(parameters: APIParameters?) throws -> APIParameters? { parameters }

    public func intercept(urlRequest: URLRequest) throws -> URLRequest { urlRequest }

    public func intercept<U: APIRequest>(
        request: U, response: APIResponse<Response>,
        replaceResponseHandler: @escaping APICompletionHandler<Response>
    ) {
        replaceResponseHandler(response)
    }

    /// Checks that one of these users, whose credentials the accessories add, is the required one.
    ///
    /// - Throws: ``APIError/userChanged``.
    package func check(_ accounts: [String?]) throws(APIError) {
        if let requiredUser, !accounts.contains(requiredUser) { throw .userChanged }
    }
}

/// A request with an async response interceptor, which replaces the seed's form with a handler.
public protocol APIResponseInterceptor: APIRequest {
    /// Returns the response to deliver instead of `response`.
    ///
    /// Runs in its own task. At the request's time limit, or when the request is cancelled, the request stops waiting
    /// for this method and ends with the corresponding error.
    func intercept(response: APIResponse<Response>) async -> APIResponse<Response>
}

extension APIResponseInterceptor {
    /// Delivers the result of ``intercept(response:)``.
    public func intercept<U: APIRequest>(
        request: U, response: APIResponse<Response>,
        replaceResponseHandler: @escaping APICompletionHandler<Response>
    ) {
        Task { replaceResponseHandler(await intercept(response: response)) }
    }
}

/// The type of ``APIRequest/body`` for a request that sends no body except, possibly, its encoded parameters.
public struct APINoBody: Encodable, Sendable {}

/// Sets of status codes.
public enum APIStatusCodes {
    /// The status codes 200 to 299.
    public static let successes = Set(200..<300)
}
