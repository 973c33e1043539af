/// When and how often failed attempts are retried.
///
/// The delay before attempt *n* + 1 is `baseDelay` × 2ⁿ⁻¹, limited to `maximumDelay` and multiplied by a
/// random factor between 0.5 and 1. It is never shorter than the server's Retry-After. If Retry-After exceeds
/// `maximumRetryAfter`, the request is not retried and the response is delivered.
public struct APIRetryPolicy: Sendable, Hashable {
    /// A single attempt, without retries.
    public static let never = APIRetryPolicy(maximumAttempts: 1)

    /// The maximum number of attempts, including the first. Values below 1 count as 1.
    public var maximumAttempts: Int
    /// The delay before the second attempt, before jitter.
    public var baseDelay: Duration
    /// The upper limit of the doubled delay. A longer Retry-After still applies.
    public var maximumDelay: Duration
    /// The longest Retry-After that is honored. A longer one ends the retries.
    public var maximumRetryAfter: Duration
    /// The status codes that are retried.
    public var statusCodes: Set<Int>
    /// Whether methods that are not idempotent (POST, PATCH) are retried too.
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

    /// Returns the delay before the next attempt, or `nil` if there should be none.
    ///
    /// - Parameters:
    ///   - attempt: The number of attempts so far.
    ///   - method: The request's method.
    ///   - retryAfter: The delay that the server asked for.
    ///   - random: A number from 0 to 1.
    func delay(
        afterAttempt attempt: Int, method: APIRequestMethod, retryAfter: Duration?, random: Double
    ) -> Duration? {
        guard attempt < maximumAttempts, method.isIdempotent || repeatsNonIdempotent else { return nil }
        if let retryAfter, retryAfter > maximumRetryAfter { return nil }
        var delay = min(baseDelay, maximumDelay)
        for _ in 1..<max(attempt, 1) where delay < maximumDelay { delay = min(delay * 2, maximumDelay) }
        return max(delay * (0.5 + 0.5 * min(max(random, 0), 1)), retryAfter ?? .zero)
    }
}
