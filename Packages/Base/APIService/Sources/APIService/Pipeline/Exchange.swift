import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response as the server sent it, with any status.
struct RawAnswer: Sendable {
    var request: URLRequest
    var response: HTTPURLResponse
    var body: Data
    /// The file of a download; `body` is then empty.
    var file: URL?
}

/// The part of the pipeline that is repeated for each attempt: accessories, transport and status check,
/// followed by a token refresh, a retry or the end.
///
/// A rejected token is refreshed only once. The attempt after the refresh does not count as a retry.
struct Exchange: Sendable {
    let client: any APIClient
    let settings: APISettings
    let retry: APIRetryPolicy
    let taskType: APIRequestTaskType
    let signal: CancelSignal
    let journal: Journal
    let progressHandler: APIProgressHandler?

    func result(_ request: URLRequest) async -> Result<RawAnswer, APIError> {
        do {
            return .success(try await run(request))
        } catch {
            return .failure(error)
        }
    }

    func run(_ request: URLRequest) async throws(APIError) -> RawAnswer {
        let method = APIRequestMethod(rawValue: request.httpMethod ?? "GET")
        var failures = 0
        var hasRefreshed = false
        while true {
            let generation = settings.tokenRefresh?.generation ?? 0
            let adapted = try await adapt(request)
            let result = await attempt(adapted)
            if let reason = signal.reason { throw reason }
            if case .success(let answer) = result, !hasRefreshed, let refresh = settings.tokenRefresh,
                refresh.isNeeded(for: answer.response.statusCode)
            {
                journal.note(.statusCheck, "\(answer.response.statusCode)")
                journal.note(.refresh)
                hasRefreshed = true
                try await refresh.newToken(after: generation, clock: settings.clock, signal: signal)
                continue
            }
            failures += 1
            guard let delay = delay(after: result, failures: failures, method: method) else {
                return try result.get()
            }
            journal.note(.backoff, "\(delay / .milliseconds(1)) ms")
            try await sleep(delay)
        }
    }

    func adapt(_ request: URLRequest) async throws(APIError) -> URLRequest {
        guard !settings.accessories.isEmpty else { return request }
        journal.note(.accessories, settings.accessories.map { "\(type(of: $0))" }.joined(separator: ", "))
        var request = request
        for accessory in settings.accessories {
            let before = request
            request = try await signal.run { try await accessory.adapt(before) }
        }
        return request
    }

    private func attempt(_ request: URLRequest) async -> Result<RawAnswer, APIError> {
        journal.note(.transport)
        do {
            let transport = Transport(client: client, signal: signal, progressHandler: progressHandler)
            return .success(try await transport.send(request, taskType))
        } catch {
            return .failure(settings.diagnosed(error))
        }
    }

    /// Returns the delay before the next attempt, or `nil` if this result is final.
    private func delay(
        after result: Result<RawAnswer, APIError>, failures: Int, method: APIRequestMethod
    ) -> Duration? {
        var retryAfter: Duration?
        switch result {
        case .success(let answer):
            let status = answer.response.statusCode
            journal.note(.statusCheck, "\(status)")
            guard retry.statusCodes.contains(status) else { return nil }
            retryAfter = RetryAfter.duration(
                answer.response.value(forHTTPHeaderField: "Retry-After"), now: settings.now())
        case .failure(let error):
            journal.note(.statusCheck, error.description)
            switch error {
            case .connectionError(let error) where error is APIUntrustedServer: return nil
            case .networkError, .connectionError: break
            default: return nil
            }
        }
        return retry.delay(
            afterAttempt: failures, method: method, retryAfter: retryAfter, random: settings.random())
    }

    private func sleep(_ duration: Duration) async throws(APIError) {
        let clock = settings.clock
        try await signal.run { try await clock.sleep(for: duration) }
    }
}
