import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The link that sends a request again after a failure, as its policy allows.
struct Retrying: Link {
    let policy: APIRetryPolicy
    /// The time limit of the request.
    let limit: Duration?
    let settings: APISettings
    let journal: Journal

    func send(_ request: URLRequest, _ next: Next) async throws -> APIAnswer {
        let method = APIRequestMethod(rawValue: request.httpMethod ?? "GET")
        var attempts = 0
        while true {
            attempts += 1
            let result: Result<APIAnswer, any Error>
            do {
                result = .success(try await next(request))
            } catch {
                result = .failure(error)
            }
            let retryAfter = retryAfter(result)
            guard isRetried(result), isWithinLimit(retryAfter),
                let delay = policy.delay(
                    afterAttempt: attempts, method: method, retryAfter: retryAfter, random: settings.random())
            else { return try result.get() }
            journal.note(.backoff, "\(delay / .milliseconds(1)) ms")
            try await settings.clock.sleep(for: delay)
        }
    }

    private func isRetried(_ result: Result<APIAnswer, any Error>) -> Bool {
        switch result {
        case .success(let answer): policy.statusCodes.contains(answer.response.statusCode)
        case .failure(APIError.networkError): true
        case .failure(APIError.connectionError(let error)): !(error is APIUntrustedServer)
        case .failure: false
        }
    }

    /// Whether the server's wish does not exceed the rest of the time limit. Otherwise waiting would end in a
    /// timeout, and the caller would not learn what the server has answered.
    private func isWithinLimit(_ retryAfter: Duration?) -> Bool {
        guard let limit, let retryAfter else { return true }
        return retryAfter < limit - journal.elapsed()
    }

    private func retryAfter(_ result: Result<APIAnswer, any Error>) -> Duration? {
        guard case .success(let answer) = result else { return nil }
        return RetryAfter.duration(
            answer.response.value(forHTTPHeaderField: "Retry-After"), now: settings.now())
    }
}
