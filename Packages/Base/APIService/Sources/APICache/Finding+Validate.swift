import APIService
import APITransport
import Foundation

/// The step that validates the stored response, or replaces the server's failure with it.
extension Finding {
    /// Whether a 304 is about a different response than the stored one (RFC 9111, 4.3.4), which is then removed.
    mutating func forgetsEntry(after result: Result<APIAnswer, any Error>) -> Bool {
        guard case .success(let answer) = result, let entry, isValidation(answer),
            !entry.isDescribed(by: answer.response) || answer.isAnonymous || isRedirected(answer)
        else { return false }
        tool.remove(key)
        (self.entry, request) = (nil, plain)
        return true
    }

    /// Returns the server's answer, or the stored response if the server has validated it, has failed, or did not answer.
    mutating func validated(_ result: Result<APIAnswer, any Error>) throws -> APIAnswer {
        switch result {
        case .success(let answer) where isValidation(answer):
            return validated(by: answer) ?? answer
        case .success(let answer)
        where answer.response.statusCode >= 500
            && !call.acceptableStatusCodes.contains(answer.response.statusCode):
            return stale("the server answered \(answer.response.statusCode)") ?? answer
        case .failure(let error as APIError) where error.isOutage:
            guard let stale = stale("\(error)") else { throw error }
            return stale
        default:
            return try result.get()
        }
    }

    /// Whether an answer is a 304 that may validate the stored response.
    private func isValidation(_ answer: APIAnswer) -> Bool {
        guard let entry, answer.response.statusCode == 304, !entry.conditions.isEmpty else { return false }
        return entry.conditions.allSatisfy { request.value(forHTTPHeaderField: $0.name) == $0.value }
    }

    /// Returns the stored response, updated with the head of a 304.
    private mutating func validated(by answer: APIAnswer) -> APIAnswer? {
        call.journal.note(.parse, "304, the cached response is still valid")
        renewed = entry?.validated(by: answer.response, for: selecting(answer.request), stored: now)
            .dated(policy.expiry, requested: requested)
        return renewed?.answer(to: answer.request, .validated, at: now)
    }

    /// Returns the stale response if it may be used instead of the failure. A time-out is one: it would result in a 504
    /// (RFC 5861, 4). Parses the response without waiting, because the time limit may have been exceeded.
    private func stale(_ reason: String) -> APIAnswer? {
        guard let entry, entry.usableOnError(until: policy.staleIfError, at: now),
            let answer = entry.answer(to: request, .stale, at: now).flatMap({ try? call.parsedNow($0) })
        else { return nil }
        call.journal.note(.parse, "stale, because \(reason)")
        return answer
    }
}

extension APIError {
    /// Whether the server could not be reached, or has not answered.
    fileprivate var isOutage: Bool {
        switch self {
        case .unreachable, .connectionError, .timedOut: true
        default: false
        }
    }
}
