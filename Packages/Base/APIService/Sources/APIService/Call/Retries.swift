import APITransport
import Foundation

/// Decides whether a request is sent again after a failure, and waits until then.
struct Retries {
    private let call: Call
    private var (attempts, resends) = (0, 0)
    private var earlier: Result<APIAnswer, any Error>?

    init(_ call: Call) { self.call = call }

    /// Whether a request with this method, which gave the result, must be sent again. Returns after the delay.
    ///
    /// - Throws: The reason of the signal.
    mutating func mustRepeat(
        _ result: inout Result<APIAnswer, any Error>, _ method: APIRequestMethod, _ signal: CancelSignal
    ) async throws -> Bool {
        let settings = call.settings
        attempts += 1
        if case .failure(let error as APIError) = result, error.allowsResend(method, after: resends) {
            resends += 1
            // An unprocessed attempt does not count, because the server has not seen the request.
            if case .connectionError(let error as APIClosedConnection, _) = error, error.isUnprocessed {
                attempts -= 1
            }
            return true
        }
        // The body cannot be sent again, and only the attempt that sent it says why it had to be.
        if case .failure(APIError.localError(is APIUploadChanged)) = result, let earlier {
            result = earlier
            return false
        }
        earlier = result
        guard isRetried(result),
            let delay = call.retry.delay(
                afterAttempt: attempts, method: method, retryAfter: retryAfter(result),
                remaining: call.limit.map { $0 - call.journal.elapsed() }, random: settings.random())
        else { return false }
        call.journal.note(.backoff, "\(delay / .milliseconds(1)) ms")
        try await signal.run { try await settings.clock.sleep(for: delay) }.get()
        return true
    }

    private func isRetried(_ result: Result<APIAnswer, any Error>) -> Bool {
        switch result {
        case .success(let answer): call.retry.statusCodes.contains(answer.response.statusCode)
        case .failure(APIError.unreachable): true
        case .failure(APIError.connectionError(let error, _)): !(error is APIUntrustedServer)
        case .failure: false
        }
    }

    private func retryAfter(_ result: Result<APIAnswer, any Error>) -> Duration? {
        guard case .success(let answer) = result else { return nil }
        return RetryAfter.duration(
            answer.response.value(forHTTPHeaderField: "Retry-After"), now: call.settings.now())
    }
}

extension APIError {
    /// Whether a request is sent again immediately because its connection closed before a response arrived. This
    /// happens at most twice: a pool may hand out a second closed connection before it notices that the connection is
    /// closed.
    package func allowsResend(_ method: APIRequestMethod, after resends: Int) -> Bool {
        guard case .connectionError(let error as APIClosedConnection, _) = self, resends < 2 else {
            return false
        }
        return error.isUnprocessed || method.isIdempotent
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
        guard retryAfter <= maximumRetryAfter, retryAfter < remaining else { return nil }
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
