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
/// Source: seeds/5-CSAPIService.md, "APIRequest 协议".
public protocol APIRequest: Sendable, APIRequestSpelling where BodyProperty: Encodable & Sendable {
    /// The type that the response's body is parsed into.
    associatedtype Response: APIParsable

    /// The URL of the server, including the common prefix of its paths.
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

    /// The time limit for the whole request, from building its parameters to delivering its response, including
    /// retries; `nil` uses the service's setting.
    var timeout: Duration? { get }

    /// The retry policy; `nil` uses the service's setting.
    var retry: APIRetryPolicy? { get }

    /// Whether equal requests that run at the same time share one exchange with the server. False by default.
    /// Only applies to safe methods, such as GET.
    ///
    /// Requests are equal if they have the same users, and the same URL, body and header fields before
    /// accessories adapt them. If a field has a new value in every request, for example a request ID, let an
    /// accessory add it: otherwise no two requests are equal.
    var coalesces: Bool { get }

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
    /// running, and its time limit or a cancellation can end it with the corresponding error.
    func intercept<U: APIRequest>(
        request: U, response: APIResponse<Response>,
        replaceResponseHandler: @escaping APICompletionHandler<Response>)
}

/// The default implementations.
extension APIRequest {
    public var method: APIRequestMethod { .get }
    public var parameters: APIParameters? { nil }
    public var body: APINoBody { APINoBody() }
    public var headers: APIRequestHeaders? { nil }
    public var taskType: APIRequestTaskType { .request }
    public var encoding: any APIParameterEncoding { APIURLEncoding.default }
    public var cache: APICache? { nil }
    public var acceptableStatusCodes: Set<Int> { .successes }
    public var timeout: Duration? { nil }
    public var retry: APIRetryPolicy? { nil }
    public var coalesces: Bool { false }

    public func intercept(parameters: APIParameters?) throws -> APIParameters? { parameters }

    public func intercept(urlRequest: URLRequest) throws -> URLRequest { urlRequest }

    public func intercept<U: APIRequest>(
        request: U, response: APIResponse<Response>,
        replaceResponseHandler: @escaping APICompletionHandler<Response>
    ) {
        replaceResponseHandler(response)
    }
}

/// The type of ``APIRequest/body`` for a request that sends no body except, possibly, its encoded parameters.
public struct APINoBody: Encodable, Sendable {}

extension Set<Int> {
    /// The status codes 200 to 299.
    public static let successes = Set(200..<300)
}

/// An HTTP method.
public struct APIRequestMethod: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name of the method as it is sent, for example `GET`.
    public let rawValue: String

    /// Creates a method with this name. Names are case-sensitive (RFC 9110, 9.1).
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let get = APIRequestMethod(rawValue: "GET")
    public static let head = APIRequestMethod(rawValue: "HEAD")
    public static let post = APIRequestMethod(rawValue: "POST")
    public static let put = APIRequestMethod(rawValue: "PUT")
    public static let patch = APIRequestMethod(rawValue: "PATCH")
    public static let delete = APIRequestMethod(rawValue: "DELETE")
    public static let options = APIRequestMethod(rawValue: "OPTIONS")

    /// Whether sending the request twice has the same effect as sending it once (RFC 9110, 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }

    /// Whether the request changes nothing on the server (RFC 9110, 9.2.1).
    public var isSafe: Bool { [.get, .head, .options, APIRequestMethod(rawValue: "TRACE")].contains(self) }

    /// - Throws: An error if the name is not a token, because the server could read it as a second request.
    func check() throws(APIRequestError) {
        guard PercentEncoding.isToken(rawValue) else {
            throw .invalidMethod("\(rawValue.debugDescription) is not the name of a method")
        }
    }

    /// The method's name.
    public var description: String { rawValue }
}

/// How a request sends its body and receives its response.
///
/// The module APITransfers adds `.upload(_:)`, `.multipart(_:)` and `.download(_:)`.
///
/// Source: seeds/5-CSAPIService.md, "业务 APIRequest".
public struct APIRequestTaskType: Sendable {
    /// Sends the encoded parameters and keeps the response in memory.
    public static let request = APIRequestTaskType()

    /// `nil` for ``request``.
    package let transfer: (any APITransfer)?

    /// Creates a type that performs `transfer`.
    package init(_ transfer: (any APITransfer)? = nil) { self.transfer = transfer }
}

/// An exchange that sends its body or receives its response in a special way, such as an upload, a multipart form or a
/// download.
package protocol APITransfer: Sendable {
    /// Takes the parameters that do not go through the request's encoding, and returns the transfer to perform.
    func taking(
        _ parameters: inout APIParameters?, for request: inout URLRequest
    ) throws -> any APITransfer

    /// Performs one attempt. `limit` is the maximum size of a response in memory.
    func send(
        _ request: URLRequest, _ client: any APIClient, limit: Int?, _ progressHandler: APIProgressHandler?
    ) async throws(APIError) -> APIAnswer
}

/// Rejects, at compile time, a request's property or interceptor that has the name of a requirement but a different
/// type.
///
/// Such a property does not satisfy the requirement of that name, and the requirement's default would apply instead.
/// For example, the seed's own `var parameters: [String: Any]?` would send an empty request. This protocol requires
/// members with the same names but any type. Its last requirement is met only if all these members have the types that
/// ``APIRequest`` declares. Otherwise, the compiler reports: "candidate would match if '[String : Any]?' was the same
/// type as 'APIParameters?'".
public protocol APIRequestSpelling {
    associatedtype MethodProperty
    associatedtype ParametersProperty
    associatedtype BodyProperty
    associatedtype HeadersProperty
    associatedtype TaskTypeProperty
    associatedtype EncodingProperty
    associatedtype CacheProperty
    associatedtype AcceptableStatusCodesProperty
    associatedtype TimeoutProperty
    associatedtype RetryProperty
    associatedtype CoalescesProperty
    associatedtype InterceptedParameters
    associatedtype ReplacedParameters
    associatedtype InterceptedRequest
    associatedtype ReplacedRequest

    var method: MethodProperty { get }
    var parameters: ParametersProperty { get throws }
    var body: BodyProperty { get }
    var headers: HeadersProperty { get }
    var taskType: TaskTypeProperty { get }
    var encoding: EncodingProperty { get }
    var cache: CacheProperty { get }
    var acceptableStatusCodes: AcceptableStatusCodesProperty { get }
    var timeout: TimeoutProperty { get }
    var retry: RetryProperty { get }
    var coalesces: CoalescesProperty { get }
    func intercept(parameters: InterceptedParameters) throws -> ReplacedParameters
    func intercept(urlRequest: InterceptedRequest) throws -> ReplacedRequest

    /// Exists only if all members have the types that ``APIRequest`` declares.
    static var allMembersHaveTheirTypes: Void { get }
}

extension APIRequestSpelling
where
    MethodProperty == APIRequestMethod, ParametersProperty == APIParameters?,
    BodyProperty: Encodable & Sendable, HeadersProperty == APIRequestHeaders?,
    TaskTypeProperty == APIRequestTaskType, EncodingProperty == any APIParameterEncoding,
    CacheProperty == APICache?, AcceptableStatusCodesProperty == Set<Int>, TimeoutProperty == Duration?,
    RetryProperty == APIRetryPolicy?, CoalescesProperty == Bool,
    InterceptedParameters == APIParameters?, ReplacedParameters == APIParameters?,
    InterceptedRequest == URLRequest, ReplacedRequest == URLRequest
{
    /// All members have the types that ``APIRequest`` declares.
    public static var allMembersHaveTheirTypes: Void { () }
}
