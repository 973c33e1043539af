import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The step that runs one exchange with the client, and waits until it ends or the signal fires.
extension Call {
    /// Returns the server's answer to an authorised request.
    ///
    /// - Throws: The error of the exchange, or the reason of the signal.
    func send(_ adapted: Adapted, _ hop: Hop, _ signal: CancelSignal) async throws -> APIAnswer {
        try signal.check()
        // A redirect belongs to the attempt that it continues.
        if hop.isFirst { journal.note(.transport) }
        do {
            let request = adapted.request
            let transfer = hop.hasBody ? transfer : transfer?.withoutBody
            var answer = try await RedirectRules.$current.withValue(adapted.rules) {
                try await exchanged(request, transfer, signal)
            }
            (answer.request, answer.isAnonymous) = (hop.origin?.request ?? request, adapted.rules.hasCrossed)
            journal.note(.statusCheck, "\(answer.response.statusCode)")
            return answer
        } catch {
            let error = settings.diagnosed(APIError(building: error), adapted.request.url)
            journal.note(.statusCheck, error.description)
            throw error
        }
    }

    private func exchanged(
        _ request: URLRequest, _ transfer: (any APITransfer)?, _ signal: CancelSignal
    ) async throws -> APIAnswer {
        let limit = settings.responseLimit
        if let transfer {
            return try await signal.run { [client, progressHandler] in
                try await transfer.send(request, client, limit: limit, progressHandler)
            }.get()
        }
        var request = request
        if request.value(forHTTPHeaderField: "Range") != nil { request.askForIdentity() }
        let response: APIDataResponse = try await signal.wait { [request] answer in
            let task = client.collecting(request, limit: limit, progressHandler, answer)
            task.resume()
            return { task.cancel() }
        }
        return try response.answer(to: request, limit: limit)
    }
}

extension APISettings {
    /// Returns the error with its URL. A broken connection becomes ``APIError/unreachable(_:)`` if the network is known to be
    /// unreachable.
    package func diagnosed(_ error: APIError, _ url: URL?) -> APIError {
        if case .connectionError(let cause, _) = error, isReachable() == false {
            return .unreachable(APIUnreachable(url: url, underlying: cause))
        }
        return error.naming(url)
    }
}

extension APIDataResponse {
    /// Returns the answer to a request.
    ///
    /// - Throws: The transport's error, or an error if the body is larger than `limit` or contains other bytes than the
    ///   request asked for.
    package func answer(to request: URLRequest, limit: Int?) throws(APIError) -> APIAnswer {
        let body = try result.value
        guard let response else { throw .connectionError(MissingHead()) }
        if let limit, body.count > limit { throw .responseError(.tooLarge(limit)) }
        do {
            try RequestedRange(request).check(response, size: Int64(body.count), mayBeShort: true)
        } catch {
            throw APIError(error)
        }
        return APIAnswer(request: request, response: response, body: body)
    }
}

extension Result where Failure == APITransportError {
    /// The value.
    ///
    /// - Throws: The transport's error, converted to the error that callers of a service receive.
    package var value: Success {
        get throws(APIError) {
            switch self {
            case .success(let value): return value
            case .failure(let error): throw APIError(error)
            }
        }
    }
}

extension APIError {
    /// Converts a transport's error to the error that callers of a service receive.
    package init(_ error: APITransportError) {
        self =
            switch error {
            case .unreachable(let error): .unreachable(APIUnreachable(underlying: error))
            case .broken(let error as TooLarge): .responseError(.tooLarge(error.limit))
            case .broken(let error): .connectionError(error)
            case .local(let error): .localError(error)
            case .cancelled: .cancelled
            }
    }
}
