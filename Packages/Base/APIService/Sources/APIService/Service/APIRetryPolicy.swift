/// When and how often failed attempts are retried.
///
/// The delay before attempt *n* + 1 is `baseDelay` × 2ⁿ⁻¹, limited to `maximumDelay` and multiplied by a random factor
/// between 0.5 and 1. The delay is never shorter than the server's Retry-After, and up to a quarter longer, so that the
/// clients of a busy server do not all return at the same moment. If Retry-After exceeds `maximumRetryAfter` or the
/// remaining time, the request is not retried and the response is delivered.
///
/// Regardless of the policy, a request is sent again immediately, at most twice, if its pooled connection was already
/// closed (`APIClosedConnection`). Each such resend counts as an attempt, unless the server is known not to have
/// processed the request. An attempt with a refreshed token counts too, but is made even if none is left.
///
/// If the service itself has followed a redirect (see ``APIAccessory/dependsOnURL``) of an unsafe request such as a POST, the
/// next attempt begins with the request that the redirect led to, because the server may have processed the first one (RFC
/// 9110, 9.2.2). All other attempts begin with the first request. Only the service sends a request again; clients never do.
public struct APIRetryPolicy: Sendable, Hashable {
    /// A single attempt, without retries.
    public static let never = APIRetryPolicy(maximumAttempts: 1)

    /// The maximum number of attempts, including the first. Values below 1 count as 1.
    public var maximumAttempts: Int
    /// The delay before the second attempt, without jitter.
    public var baseDelay: Duration
    /// The maximum delay after doubling. A longer Retry-After still applies.
    public var maximumDelay: Duration
    /// The longest Retry-After that is honored. A longer one ends the retries.
    public var maximumRetryAfter: Duration
    /// The status codes that are retried.
    public var statusCodes: Set<Int>
    /// Whether requests with a method that is not idempotent (POST, PATCH) are retried too.
    public var repeatsNonIdempotent: Bool

    /// Creates a policy.
    public init(
        maximumAttempts: Int, baseDelay: Duration = .milliseconds(200), maximumDelay: Duration = .seconds(20),
        maximumRetryAfter: Duration = .seconds(120), statusCodes: Set<Int> = [408, 429, 500, 502, 503, 504],
        repeatsNonIdempotent: Bool = false
    ) {
        self.maximumAttempts = maximumAttempts
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.maximumRetryAfter = maximumRetryAfter
        self.statusCodes = statusCodes
        self.repeatsNonIdempotent = repeatsNonIdempotent
    }
}
