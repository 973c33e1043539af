import APITransport
import Foundation

/// Decides whether a request is sent again after a failure, and waits until then.
struct Retries {
    private let call: Call
    private let method: APIRequestMethod
    private var (attempts, resends) = (0, 0)
    private var earlier: Result<APIAnswer, any Error>?

    init(_ call: Call, _ method: APIRequestMethod) { (self.call, self.method) = (call, method) }

    /// Whether the request must be sent again. Returns after the delay.
    ///
    /// - Throws: The reason of the signal.
    mutating func mustRepeat(
        _ result: inout Result<APIAnswer, any Error>, _ signal: CancelSignal
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
