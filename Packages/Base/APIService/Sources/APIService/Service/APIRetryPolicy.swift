/// When and how often failed attempts are repeated.
///
/// The wait before attempt *n* + 1 is `baseDelay` × 2ⁿ⁻¹, at most `maximumDelay`, of which a random part
/// between half and all is taken; never less than the server's Retry-After. A Retry-After beyond
/// `maximumRetryAfter` ends the matter: the answer is delivered as it is.
public struct APIRetryPolicy: Sendable, Hashable {
    /// One attempt.
    public static let never = APIRetryPolicy(maximumAttempts: 1)

    /// How often the request is sent at most, the first time included. At least 1.
    public var maximumAttempts: Int
    /// The wait before the second attempt, before jitter.
    public var baseDelay: Duration
    /// The longest wait that doubling leads to.
    public var maximumDelay: Duration
    /// The longest Retry-After that is waited for.
    public var maximumRetryAfter: Duration
    /// The status codes that are tried again.
    public var statusCodes: Set<Int>
    /// Whether methods are repeated for which sending twice is not what sending once is (POST, PATCH).
    public var repeatsNonIdempotent: Bool

    /// A policy.
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

    /// How long to wait after a failed attempt; nil when there shall be no other.
    ///
    /// - Parameters:
    ///   - attempt: How many there have been.
    ///   - method: The request's method.
    ///   - retryAfter: What the server asked for.
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
