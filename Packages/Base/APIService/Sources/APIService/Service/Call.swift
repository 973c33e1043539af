import APITransport
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request on its way from `sendRequest` to its delivered response. This file is in the order of the stages: build,
/// cache, links, transport, parse, deliver.
///
/// Not generic, because in generic code the runtime would look up the types of a call repeatedly. In a measurement,
/// these lookups took a third of the pipeline's time.
///
/// Source: seed 5, "框架组成".
package final class Call: Sendable {
    package let settings: APISettings
    package let journal: Journal
    package let policy: APICache
    /// The users to whom cached responses belonged when the call was made.
    package let users: [String]
    /// The users whose credentials the accessories added when the call was made.
    let accounts: [String?]
    let client: any APIClient
    let transfer: (any APITransfer)?
    let retry: APIRetryPolicy
    /// The time limit.
    let limit: Duration?
    let progressHandler: APIProgressHandler?
    /// Ends the call early.
    let signal = CancelSignal()
    /// The request before accessories adapt it.
    private let urlRequest: Result<URLRequest, APIError>
    private let acceptableStatusCodes: Set<Int>
    private let sharing: (any SharingProvider)?
    private let deadlines: Deadlines
    private let departure = Departure()
    private let fallback = Locked(Fallback?.none)

    /// Returns the answer of a request that exceeds its time limit.
    private struct Fallback {
        let answer: @Sendable () -> APIAnswer?
    }

    // These steps depend on the request's types.
    private let parse: @Sendable (Data) throws(APIError) -> any Sendable
    private let willSend: @Sendable (URLRequest) -> Void
    private let tellCacheHandlers: (@Sendable (Result<APIAnswer, APICacheError>, URLRequest) -> Void)?

    // MARK: 1. Build

    /// Builds the request to send, on the caller's actor: parameters, encoding, request interceptor and the plugins'
    /// `prepare`. The call keeps the settings as they are now. Builds nothing if the caller has been cancelled.
    init<T: APIRequest>(
        _ request: T, plugins: [any APIPlugin], encoding: (any APIParameterEncoding)?, service: APIService,
        progressHandler: APIProgressHandler?, cacheHandler: APICompletionHandler<T.Response>?,
        isCancelled: Bool = false
    ) {
        let settings = service.config.settings
        let journal = Journal(clock: settings.clock)
        (self.settings, self.journal, self.progressHandler) = (settings, journal, progressHandler)
        (client, accounts) = (service.client, settings.accounts)
        users = settings.users(with: accounts)
        do throws(APIError) {
            if isCancelled { throw .cancelled }
            let built = try RequestBuilder(
                request: request, plugins: plugins, encoding: encoding, settings: settings,
                journal: journal
            ).build()
            (urlRequest, transfer) = (.success(built.urlRequest), built.transfer)
            // A request that a token refresh sends must not join an exchange that waits for the refresh.
            let isShared =
                transfer == nil && !APITokenRefresh.isRunning && built.urlRequest.method.isSafe
                && settings.sharing?.shares(request) ?? false
            sharing = isShared ? settings.sharing : nil
        } catch {
            (urlRequest, transfer, sharing) = (.failure(error), nil, nil)
        }
        let cachePlugins = plugins.isEmpty ? [] : plugins.compactMap { $0 as? CachePlugin<T> }
        policy = cachePlugins.first { $0.cache != nil }?.cache ?? request.cache ?? APICache()
        (retry, limit) = (request.retry ?? settings.retry, request.timeout ?? settings.timeout)
        acceptableStatusCodes = request.acceptableStatusCodes
        // A separate task and timer would take longer than the rest of a small request.
        deadlines = settings.clock is ContinuousClock ? service.deadlines : Deadlines(clock: settings.clock)
        parse = { [decoder = settings.decoder] body throws(APIError) in
            do {
                return try APIDecoder.$current.withValue(decoder) {
                    try T.Response.parse(data: body)
                }
            } catch {
                throw APIError(parsing: error)
            }
        }
        willSend = { urlRequest in
            for plugin in plugins { plugin.willSend(urlRequest, targetRequest: request) }
        }
        guard cacheHandler != nil || !cachePlugins.isEmpty else {
            tellCacheHandlers = nil
            return
        }
        tellCacheHandlers = { result, urlRequest in
            var response =
                switch result {
                case .success(let answer): APIResponse<T.Response>(answer)
                case .failure(let error):
                    APIResponse<T.Response>(
                        request: urlRequest, result: .failure(.cacheError(error)), source: .cache)
                }
            response.explanation = journal.explanation
            cacheHandler?(response)
            for plugin in cachePlugins { plugin.cacheHandler?(response) }
        }
    }

    /// Sends the built request, calls `deliver` exactly once and returns the delivered response. `request` and `plugins`
    /// are those of the initializer.
    @discardableResult
    nonisolated(nonsending) func run<T: APIRequest>(
        _ request: T, plugins: [any APIPlugin],
        deliver: nonisolated(nonsending) (APIResponse<T.Response>) async -> Void = { _ in }
    ) async -> APIResponse<T.Response> {
        let id = limit.map { deadlines.add(signal, after: $0) }
        defer { if let id { deadlines.remove(id) } }
        let response: APIResponse<T.Response>
        do throws(APIError) {
            response = APIResponse(try await answer())
        } catch {
            response = APIResponse(request: try? urlRequest.get(), result: .failure(error))
        }
        return await delivered(response, request, plugins, deliver)
    }

    /// Returns the parsed answer, from the cache or from the server.
    ///
    /// - Throws: The error of the first stage that fails, or the reason of the signal that ended the call early.
    private nonisolated(nonsending) func answer() async throws(APIError) -> APIAnswer {
        let request = try urlRequest.get()
        do {
            // A call on an actor runs in its own task, because lookups and parsing may take a long time. So does a
            // request that waits for a shared exchange, because it leaves the exchange when its task is cancelled.
            guard !isOnActor(), sharing == nil else {
                return try await signal.run { try await self.parsedAnswer(to: request) }.get()
            }
            return try await parsedAnswer(to: request)
        } catch {
            let error = APIError(building: error)
            guard error == .timedOut, let answer = fallback.withLock({ $0 })?.answer() else { throw error }
            return answer
        }
    }

    /// Sets the answer of the request if it exceeds its time limit. `answer` is called at most once, and must not wait.
    package func onTimeout(_ answer: @escaping @Sendable () -> APIAnswer?) {
        fallback.withLock { $0 = Fallback(answer: answer) }
    }

    private func isOnActor(_ actor: isolated (any Actor)? = #isolation) -> Bool { actor != nil }

    // MARK: 2. Cache

    private func parsedAnswer(to request: URLRequest) async throws -> APIAnswer {
        let answer =
            if let cache = cacheLink(for: request) {
                try await cache.send(request, fromServer)
            } else {
                try await fromServer(request)
            }
        // The cache link has parsed what it read or wrote.
        return answer.value == nil ? try await checkedAndParsed(answer) : answer
    }

    private func cacheLink(for request: URLRequest) -> (any Link)? {
        guard transfer == nil, policy.readMode != .none || policy.writeMode != .none else {
            return request.method.isSafe ? nil : settings.cacheProvider?.invalidatingLink()
        }
        guard let provider = settings.cacheProvider else {
            let missing = "no cache is set. Import APICache and set APIConfig.cacheTool"
            journal.note(.cacheRead, missing)
            report(.failure(.unusable(missing)), for: request)
            return nil
        }
        return provider.link(for: self, request)
    }

    /// Reports the result of the cache lookup to the caller.
    package func report(_ result: Result<APIAnswer, APICacheError>, for request: URLRequest) {
        if let tellCacheHandlers, signal.reason == nil { tellCacheHandlers(result, request) }
    }

    // MARK: 3. Links and transport

    /// Tells the plugins, and sends the request through the links to the client.
    @Sendable private func fromServer(_ request: URLRequest) async throws -> APIAnswer {
        try signal.check()
        let hasNotEnded = departure.open {
            journal.note(.willSend)
            willSend(request)
        }
        guard hasNotEnded else { throw CancellationError() }
        return try await links()(request)
    }

    /// The links to the client, in the order a request passes through them.
    private func links() -> Next {
        // A shared exchange may outlive the request that began it.
        let signal = sharing == nil ? signal : CancelSignal()
        let links: [(any Link)?] = [
            sharing?.link(for: self) { signal.fire(.cancelled) },
            settings.tokenRefresh.map { Refreshing(refresh: $0, call: self, signal: signal) },
            Retrying(call: self, signal: signal),
            settings.accessories.isEmpty ? nil : Adapting(call: self, signal: signal),
        ]
        var next: Next = Transport(call: self, signal: signal).send
        for case let link? in links.reversed() { next = { [next] in try await link.send($0, next) } }
        return next
    }

    /// The header fields that carry credentials.
    package var credentialFields: Set<String> { client.credentialFields }

    // MARK: 4. Check and parse

    private func checkedAndParsed(_ answer: APIAnswer) async throws -> APIAnswer {
        do throws(APIError) {
            guard accepts(answer.response.statusCode) else {
                let failure = APIStatusFailure(answer.response, body: answer.body)
                throw .responseError(.unacceptableStatus(failure))
            }
            journal.note(.parse)
            return try await parsed(answer)
        } catch {
            var answer = answer
            answer.value = .failure(error)
            return answer
        }
    }

    /// Whether a status counts as a success.
    package func accepts(_ status: Int) -> Bool { acceptableStatusCodes.contains(status) }

    /// Returns the answer with its parsed value.
    ///
    /// - Throws: The parser's error as an ``APIError/responseError(_:)``, or the reason of the signal.
    package func parsed(_ answer: APIAnswer) async throws(APIError) -> APIAnswer {
        // For a small body, starting a task would take longer than parsing.
        guard answer.body.count > 16_384 else { return try parsedNow(answer) }
        return try await signal.run { () throws(APIError) in try self.parsedNow(answer) }.get()
    }

    /// Returns the answer with its value, which the current thread parses.
    ///
    /// - Throws: The parser's error as an ``APIError/responseError(_:)``.
    package func parsedNow(_ answer: APIAnswer) throws(APIError) -> APIAnswer {
        var answer = answer
        answer.value = .success(try parse(answer.file.map { Data($0.path.utf8) } ?? answer.body))
        return answer
    }

    // MARK: 5. Deliver

    /// Calls the plugins and the response interceptor, and delivers the response.
    private nonisolated(nonsending) func delivered<T: APIRequest>(
        _ received: APIResponse<T.Response>, _ request: T, _ plugins: [any APIPlugin],
        _ deliver: nonisolated(nonsending) (APIResponse<T.Response>) async -> Void
    ) async -> APIResponse<T.Response> {
        var response = received
        let wasSent = departure.close()
        response.explanation = journal.explanation
        if wasSent {
            journal.note(.willReceive)
            for plugin in plugins { plugin.willReceive(response, targetRequest: request) }
        }
        // A call that has ended early skips the interceptor, or does not wait for it to finish. An expired response
        // that replaces the time-out is delivered.
        if response.source != .stale || signal.reason != .timedOut {
            do {
                response = try await signal.wait { [response] answer in
                    journal.note(.responseInterceptor)
                    request.intercept(request: request, response: response, replaceResponseHandler: answer)
                    return {}
                }
            } catch {
                (response.result, response.source) = (.failure(error), .network)
            }
        }
        journal.note(.delivery)
        if wasSent { journal.note(.didReceive) }
        response.explanation = journal.explanation
        await deliver(response)
        guard wasSent else { return response }
        for plugin in plugins { plugin.didReceive(response, targetRequest: request) }
        return response
    }
}

/// Records whether a request has been sent to the network, so that each `willSend` is followed by a `didReceive`.
private final class Departure: Sendable {
    private enum State { case waiting, departed, closed }
    private let state = Locked(State.waiting)

    /// Calls `announce` on the first call, unless the request has ended. Returns false if the request has ended.
    func open(_ announce: () -> Void) -> Bool {
        state.withLock { state in
            guard state == .waiting else { return state == .departed }
            state = .departed
            announce()
            return true
        }
    }

    /// Ends the request. Returns whether it was sent.
    func close() -> Bool {
        state.withLock { state in
            defer { state = .closed }
            return state == .departed
        }
    }
}
