import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One link of the chain. A request passes through the chain on its way to the server, and the answer passes through it
/// on its way back. A link may change the request, send it several times with `next`, or answer it itself.
package protocol Link: Sendable {
    /// Returns the answer to a request.
    func send(_ request: URLRequest, _ next: @escaping Next) async throws -> APIAnswer
}

/// Sends a request through the rest of the chain.
package typealias Next = @Sendable (URLRequest) async throws -> APIAnswer

/// An answer on its way back through the chain. Every status is returned as an answer, not thrown as an error.
package struct APIAnswer: Sendable {
    /// The request as it was sent.
    package var request: URLRequest
    package var response: HTTPURLResponse
    package var body: Data
    /// The file of a download; `body` is then empty.
    package var file: URL?
    package var source = APIResponseSource.network
    /// The parsed value or the parser's error; `nil` if the body has not been parsed yet.
    package var value: Result<any Sendable, APIError>?

    package init(request: URLRequest, response: HTTPURLResponse, body: Data, file: URL? = nil) {
        (self.request, self.response, self.body, self.file) = (request, response, body, file)
    }
}

/// A cache, which provides the link that reads and writes it.
package protocol CacheProvider: Sendable {
    /// Returns the link for a call that reads or writes the cache.
    func link(for call: Call, _ request: URLRequest) -> any Link

    /// Returns the link for an unsafe request that neither reads nor writes the cache.
    func invalidatingLink() -> any Link

    /// Removes all responses of a user.
    func removeAll(user: String?)
}

/// Lets equal requests share an exchange with the server.
package protocol SharingProvider: Sendable {
    /// Whether a request wants to share its exchange.
    func shares(_ request: any APIRequest) -> Bool

    /// Returns the link for a call that shares its exchange. `cancel` ends the exchange.
    func link(for call: Call, cancel: @escaping @Sendable () -> Void) -> any Link
}

/// The end of the chain: runs one exchange with the client, and waits until it ends or the signal fires.
struct Transport: Sendable {
    let call: Call
    let signal: CancelSignal

    @Sendable func send(_ request: URLRequest) async throws -> APIAnswer {
        try signal.check()
        call.journal.note(.transport)
        do {
            try request.check()
            let answer = try await exchange(request, limit: call.settings.responseLimit)
            call.journal.note(.statusCheck, "\(answer.response.statusCode)")
            return answer
        } catch {
            let error = call.settings.diagnosed(APIError(building: error), request.url)
            call.journal.note(.statusCheck, error.description)
            throw error
        }
    }

    private func exchange(_ request: URLRequest, limit: Int?) async throws -> APIAnswer {
        let (client, progressHandler) = (call.client, call.progressHandler)
        if let transfer = call.transfer {
            return try await signal.run {
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
