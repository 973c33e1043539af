import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A built request on its way through the links to the client. The stages before and after the links are in ``Send``.
///
/// Not generic, because in generic code the runtime would look up the types of a call repeatedly. In a measurement,
/// these lookups took a third of the pipeline's time.
package final class Call: Sendable {
    /// The parts of a call that depend on the types of its request.
    protocol Typed: Sendable {
        /// Returns the value that a body represents.
        func parse(_ body: Data) throws(APIError) -> any Sendable

        /// Tells the plugins that the request is about to be sent. Throws if the request has already ended.
        func depart(_ urlRequest: URLRequest) throws

        /// Reports the result of the cache lookup to the caller.
        func report(_ result: Result<APIAnswer, APICacheError>, of urlRequest: URLRequest)
    }

    /// The request before accessories adapt it.
    package let urlRequest: URLRequest
    /// How the response is cached.
    package let policy: APICache
    package let settings: APISettings
    package let journal: Journal

    let client: any APIClient
    let transfer: (any APITransfer)?
    /// The time limit.
    let limit: Duration?
    let retry: APIRetryPolicy
    let progressHandler: APIProgressHandler?
    private let typed: any Typed
    private let signal: CancelSignal
    private let exchanges: SharedExchanges
    private let isShared: Bool
    private let acceptableStatusCodes: Set<Int>

    init<T>(_ send: Send<T>, _ built: BuiltRequest) {
        let request = send.request
        (urlRequest, transfer) = (built.urlRequest, built.transfer)
        (settings, journal, signal, typed) = (send.settings, send.journal, send.signal, send)
        (client, exchanges, progressHandler) = (
            send.service.client, send.service.exchanges, send.progressHandler
        )
        (policy, limit) = (send.cachePolicy ?? APICache(), send.limit)
        (retry, acceptableStatusCodes) = (request.retry ?? settings.retry, request.acceptableStatusCodes)
        // A request that a token refresh sends must not join an exchange that waits for the refresh.
        isShared =
            request.coalesces && !APITokenRefresh.isRunning && transfer == nil && urlRequest.method.isSafe
    }

    /// Returns the parsed answer.
    ///
    /// - Throws: The error of the first stage that fails, or the reason of the signal that ended the request early.
    nonisolated(nonsending) func answer() async throws(APIError) -> APIAnswer {
        do {
            // A call on an actor runs in its own task, because lookups and parsing may take a long time. So does a
            // request that waits for a shared exchange, because it leaves the exchange when its task is cancelled.
            guard !isOnActor(), !isShared else {
                return try await signal.run { try await self.exchange() }.get()
            }
            return try await exchange()
        } catch {
            throw APIError(building: error)
        }
    }

    /// Whether the caller runs on an actor.
    private func isOnActor(_ actor: isolated (any Actor)? = #isolation) -> Bool { actor != nil }

    /// Sends the request through the links, and parses the answer unless a link has done so.
    private func exchange() async throws -> APIAnswer {
        var answer = try await chain()(urlRequest)
        guard answer.value == nil else { return answer }
        do throws(APIError) {
            guard accepts(answer.response.statusCode) else {
                throw .responseError(
                    .unacceptableStatus(APIStatusFailure(answer.response, body: answer.body)))
            }
            journal.note(.parse)
            return try await parsed(answer)
        } catch {
            answer.value = .failure(error)
            return answer
        }
    }

    // MARK: Links

    /// The links between a call and the client, in the order a request passes through them.
    private func chain() -> Next {
        let network = network(signal)
        let departing: Next = { request in
            try self.signal.check()
            try self.typed.depart(request)
            return try await network(request)
        }
        guard let cache = cacheLink() else { return departing }
        return { try await cache.send($0, departing) }
    }

    /// The links that every answer from the server passes through.
    private func network(_ signal: CancelSignal) -> Next {
        // A shared exchange may outlive the request that began it.
        let signal = isShared ? CancelSignal() : signal
        let links: [(any Link)?] = [
            isShared
                ? Coalescing(exchanges: exchanges, users: settings.users, journal: journal, signal: signal)
                : nil,
            settings.tokenRefresh.map { Refreshing(refresh: $0, call: self, signal: signal) },
            Retrying(call: self, signal: signal),
            settings.accessories.isEmpty ? nil : Adapting(call: self, signal: signal),
        ]
        var next: Next = Transport(call: self, signal: signal).send
        for case let link? in links.reversed() { next = { [next] in try await link.send($0, next) } }
        return next
    }

    private func cacheLink() -> (any Link)? {
        guard transfer == nil, policy.readMode != .none || policy.writeMode != .none else {
            return urlRequest.method.isSafe ? nil : settings.cacheProvider?.invalidatingLink()
        }
        guard let provider = settings.cacheProvider else {
            let missing = "no cache is set. Import APICache and set APIConfig.cacheTool"
            journal.note(.cacheRead, missing)
            report(.failure(.unusable(missing)))
            return nil
        }
        return provider.link(for: self)
    }

    // MARK: For the cache link

    /// The header fields that carry credentials.
    package var credentialFields: Set<String> { client.credentialFields }

    /// Whether a status counts as a success.
    package func accepts(_ status: Int) -> Bool { acceptableStatusCodes.contains(status) }

    /// Returns the answer with its parsed value.
    ///
    /// - Throws: The parser's error as an ``APIError/responseError(_:)``, or the reason of the signal.
    package func parsed(_ answer: APIAnswer) async throws(APIError) -> APIAnswer {
        var answer = answer
        let body = answer.file.map { Data($0.path.utf8) } ?? answer.body
        // For a small body, starting a task would take longer than parsing.
        if body.count <= 16_384 {
            answer.value = .success(try typed.parse(body))
        } else {
            answer.value = .success(
                try await signal.run { [typed] () throws(APIError) in try typed.parse(body) }.get())
        }
        return answer
    }

    /// Sends a request through the links that follow the cache link, without telling the plugins.
    @Sendable package func sendInBackground(_ request: URLRequest) async throws -> APIAnswer {
        try await network(CancelSignal())(request)
    }

    /// Reports the result of the cache lookup to the caller.
    package func report(_ result: Result<APIAnswer, APICacheError>) { typed.report(result, of: urlRequest) }
}

extension URLRequest {
    fileprivate var method: APIRequestMethod { APIRequestMethod(rawValue: httpMethod ?? "GET") }
}
