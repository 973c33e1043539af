import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The stages between the last attempt and the delivery: status check, parse, cache write.
struct AnswerReader<T: APIRequest>: Sendable {
    let request: T
    /// `nil` if the request is not cached.
    let reader: CacheReader?
    /// The cached response, for use after a 304 or when the server fails.
    let entry: APICacheEntry?
    let settings: APISettings
    let journal: Journal

    func read(_ result: Result<RawAnswer, APIError>, of urlRequest: URLRequest) -> APIResponse<T.Response> {
        switch result {
        case .failure(let error): return failed(error, urlRequest, nil)
        case .success(let answer):
            let status = answer.response.statusCode
            if status == 304, let entry, let reader, isOwnValidation(urlRequest, entry) {
                return validated(entry, by: answer, reader, urlRequest)
            }
            guard request.acceptableStatusCodes.contains(status) else {
                return failed(.responseError(.unacceptableStatus(failure(answer))), urlRequest, answer)
            }
            return parsed(answer, urlRequest)
        }
    }

    private func isOwnValidation(_ urlRequest: URLRequest, _ entry: APICacheEntry) -> Bool {
        !entry.conditions.isEmpty
            && entry.conditions.allSatisfy { urlRequest.value(forHTTPHeaderField: $0.name) == $0.value }
    }

    private func failure(_ answer: RawAnswer) -> APIStatusFailure {
        var headers = APIHeaders()
        for (name, value) in answer.response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
        return APIStatusFailure(statusCode: answer.response.statusCode, headers: headers, body: answer.body)
    }

    private func parsed(_ answer: RawAnswer, _ urlRequest: URLRequest) -> APIResponse<T.Response> {
        journal.note(.parse)
        let body = answer.file.map { Data($0.path.utf8) } ?? answer.body
        let result: APIResult<T.Response>
        do {
            result = .success(try T.Response.parse(data: body))
            write(answer, urlRequest)
        } catch {
            result = .failure(APIError(parsing: error))
        }
        return APIResponse(
            request: answer.request, response: answer.response, data: answer.file == nil ? body : nil,
            result: result)
    }

    private func write(_ answer: RawAnswer, _ urlRequest: URLRequest) {
        guard let reader, reader.cache.writeNode != .none, answer.file == nil else { return }
        guard reader.isStillTheirs(settings) else { return journal.note(.cacheWrite, "the user has changed") }
        let now = settings.now()
        guard reader.cache.shouldCacheHandler?(answer.response, answer.body) ?? true,
            let entry = APICacheEntry(
                answer.response, body: answer.body,
                for: reader.selecting(answer.request, lookedUp: urlRequest), stored: now,
                expires: reader.cache.expiry.date(from: now))
        else { return journal.note(.cacheWrite, "not storable") }
        journal.note(.cacheWrite, "\(reader.cache.writeNode)")
        reader.tool.store(entry, for: reader.key, mode: reader.cache.writeNode)
    }

    private func validated(
        _ entry: APICacheEntry, by answer: RawAnswer, _ reader: CacheReader, _ urlRequest: URLRequest
    ) -> APIResponse<T.Response> {
        journal.note(.parse, "304, the cached response is still valid")
        let now = settings.now()
        let renewed = entry.validated(
            by: answer.response, for: reader.selecting(answer.request, lookedUp: urlRequest), stored: now,
            expires: reader.cache.expiry.date(from: now))
        guard let value = try? T.Response.parse(data: entry.body) else {
            reader.tool.remove(reader.key)
            return APIResponse(
                request: answer.request, response: answer.response,
                result: .failure(.cacheError(.unusable("the cached response cannot be parsed"))))
        }
        if !renewed.isStorable {
            journal.note(.cacheWrite, "no longer storable")
            reader.tool.remove(reader.key)
        } else if reader.cache.writeNode != .none, reader.isStillTheirs(settings) {
            journal.note(.cacheWrite, "\(reader.cache.writeNode)")
            reader.tool.store(renewed, for: reader.key, mode: reader.cache.writeNode)
        }
        return APIResponse(
            request: answer.request, response: renewed.response, data: renewed.body, result: .success(value),
            source: .validated)
    }

    /// Returns the stale cached response if it may replace the failure, or else the failure.
    private func failed(
        _ error: APIError, _ urlRequest: URLRequest, _ answer: RawAnswer?
    ) -> APIResponse<T.Response> {
        let serverFailed =
            switch error {
            case .networkError, .connectionError: true
            case .responseError(.unacceptableStatus(let failure)): failure.statusCode >= 500
            default: false
            }
        if serverFailed, let entry, let reader,
            entry.usableOnError(until: reader.cache.staleIfError, at: settings.now()),
            let value = try? T.Response.parse(data: entry.body)
        {
            journal.note(.parse, "stale, because \(error)")
            return APIResponse(
                request: urlRequest, response: entry.response, data: entry.body, result: .success(value),
                source: .stale)
        }
        return APIResponse(
            request: answer?.request ?? urlRequest, response: answer?.response, data: answer?.body,
            result: .failure(error))
    }
}
