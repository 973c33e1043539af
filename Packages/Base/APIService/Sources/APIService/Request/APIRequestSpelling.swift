import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
    associatedtype RequiredUserProperty
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
    var requiredUser: RequiredUserProperty { get }
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
    RetryProperty == APIRetryPolicy?, RequiredUserProperty == String?,
    InterceptedParameters == APIParameters?, ReplacedParameters == APIParameters?,
    InterceptedRequest == URLRequest, ReplacedRequest == URLRequest
{
    /// All members have the types that ``APIRequest`` declares.
    public static var allMembersHaveTheirTypes: Void { () }
}
