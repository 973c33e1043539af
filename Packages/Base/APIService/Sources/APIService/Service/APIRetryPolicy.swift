import APITransport
import Foundation

/// When and how often failed attempts are retried.
///
/// The delay before attempt *n* + 1 is `baseDelay` × 2ⁿ⁻¹, limited to `maximumDelay` and multiplied by a random factor
/// between 0.5 and 1. The delay is never shorter than the server's Retry-After, and up to a quarter longer, so that the
/// clients of a busy server do not all return at the same moment. If Retry-After exceeds two minutes or the remaining time,
/// the request is not retried and the response is delivered.
///
/// Regardless of the policy, a request is sent again immediately, at most twice, if its pooled connection was already
/// closed (`APIClosedConnection`). Each such resend counts as an attempt, unless the server is known not to have
/// processed the request. An attempt with a refreshed token counts too, but is made even if none is left.
///
/// If an unsafe request such as a POST was redirected within its origin, the next attempt begins with the request that the
/// redirect led to, because the server may have processed the first one (RFC 9110, 9.2.2). If redirects to another origin have
/// changed the method of an unsafe request, nothing is sent again. All other attempts begin with the first request. Only the
/// service sends a request again; clients never do. (This requires a client that obeys `RedirectPolicy.ofCurrentRequest`, as
/// those of the library do.)
public struct APIRetryPolicy: Sendable, Hashable {
    /// A single attempt, without retries.
    public static let never = APIRetryPolicy(maximumAttempts: 1)

    /// The status codes that are retried.
    static let statusCodes: Set = [408, 429, 500, 502, 503, 504]
    /// The longest Retry-After that is honored.
    private static let longestRetryAfter = Duration.seconds(120)

    /// The maximum number of attempts, including the first. Values below 1 count as 1.
    public var maximumAttempts: Int
    /// The delay before the second attempt, without jitter.
    public var baseDelay: Duration
    /// The maximum delay after doubling. A longer Retry-After still applies.
    public var maximumDelay: Duration
    /// Whether requests with a method that is not idempotent (POST, PATCH) are retried too.
    public var repeatsNonIdempotent: Bool

    /// Creates a policy.
    public init(
        maximumAttempts: Int, baseDelay: Duration = .milliseconds(200), maximumDelay: Duration = .seconds(20),
        repeatsNonIdempotent: Bool = false
    ) {
        self.maximumAttempts = maximumAttempts
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.repeatsNonIdempotent = repeatsNonIdempotent
    }
}

extension APIRetryPolicy {
    /// Returns the delay before the next attempt, or `nil` to stop retrying.
    ///
    /// - Parameters:
    ///   - attempt: The number of attempts so far.
    ///   - method: The request's method.
    ///   - retryAfter: The delay that the server asked for.
    ///   - remaining: The time until the request's time limit. If a Retry-After is longer, waiting would end in a
    ///     timeout, and the caller would not get the server's response.
    ///   - random: A number from 0 to 1.
    func delay(
        afterAttempt attempt: Int, method: APIRequestMethod, retryAfter: Duration?,
        remaining: Duration? = nil,
        random: Double
    ) -> Duration? {
        guard attempt < maximumAttempts, method.isIdempotent || repeatsNonIdempotent else { return nil }
        let random = min(max(random, 0), 1)
        var delay = min(baseDelay, maximumDelay)
        for _ in 1..<max(attempt, 1) where delay < maximumDelay { delay = min(delay * 2, maximumDelay) }
        delay = delay * (0.5 + 0.5 * random)
        guard let retryAfter else { return delay }
        let remaining = remaining ?? .seconds(Int64(1) << 41)
        guard retryAfter <= Self.longestRetryAfter, retryAfter < remaining else { return nil }
        let jitter = min(retryAfter / 4, (remaining - retryAfter) / 2)
        return max(delay, retryAfter + jitter * random)
    }
}

/// The Retry-After field (RFC 9110, 10.2.3): seconds, or a date.
enum RetryAfter {
    /// Returns the delay; `nil` if the field is missing or invalid. A date in the past means no delay.
    static func duration(_ field: String?, now: Date) -> Duration? {
        guard let text = field?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // A number too large for `Int64` still means a very long delay.
            return .seconds(min(Int64(text) ?? .max, 1 << 40))
        }
        guard let date = HTTPDate.date(text, now: now) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now)))
    }
}
