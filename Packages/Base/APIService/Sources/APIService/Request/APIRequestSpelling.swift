/// Rejects, at compile time, a request's property that has the name of a requirement but another type.
///
/// Such a property satisfies no requirement of ``APIRequest``, whose default would apply instead. For example,
/// the seed's own `var parameters: [String: Any]?` would send an empty request. This protocol requires the
/// same names with any type, and the last requirement is only met if all types are the right ones. The
/// compiler then says: candidate would match if '[String : Any]?' was the same type as 'APIParameters?'.
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

    /// See ``APIRequest/method``.
    var method: MethodProperty { get }
    /// See ``APIRequest/parameters``.
    var parameters: ParametersProperty { get throws }
    /// See ``APIRequest/body``.
    var body: BodyProperty { get }
    /// See ``APIRequest/headers``.
    var headers: HeadersProperty { get }
    /// See ``APIRequest/taskType``.
    var taskType: TaskTypeProperty { get }
    /// See ``APIRequest/encoding``.
    var encoding: EncodingProperty { get }
    /// See ``APIRequest/cache``.
    var cache: CacheProperty { get }
    /// See ``APIRequest/acceptableStatusCodes``.
    var acceptableStatusCodes: AcceptableStatusCodesProperty { get }
    /// See ``APIRequest/timeout``.
    var timeout: TimeoutProperty { get }
    /// See ``APIRequest/retry``.
    var retry: RetryProperty { get }
    /// See ``APIRequest/coalesces``.
    var coalesces: CoalescesProperty { get }

    /// Exists if all properties have the types that ``APIRequest`` declares.
    static var allPropertiesHaveTheirTypes: Void { get }
}

extension APIRequestSpelling
where
    MethodProperty == APIRequestMethod, ParametersProperty == APIParameters?,
    BodyProperty: Encodable & Sendable, HeadersProperty == APIRequestHeaders?,
    TaskTypeProperty == APIRequestTaskType, EncodingProperty == any APIParameterEncoding,
    CacheProperty == APICache?, AcceptableStatusCodesProperty == Set<Int>, TimeoutProperty == Duration?,
    RetryProperty == APIRetryPolicy?, CoalescesProperty == Bool
{
    /// All properties have the types that ``APIRequest`` declares.
    public static var allPropertiesHaveTheirTypes: Void { () }
}
