import APITransport
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request, from the call to its response. The methods are in the order a request passes through
/// them.
///
/// Source: seeds/5-CSAPIService.md, "框架组成".
struct Send<T: APIRequest>: Sendable {
    typealias Response = APIResponse<T.Response>

    let request: T
    let plugins: [any APIPlugin]
    let encoding: (any APIParameterEncoding)?
    let service: APIService
    let settings: APISettings
    let signal = CancelSignal()
    let journal: Journal
    let progressHandler: APIProgressHandler?
    let cacheHandler: APICompletionHandler<T.Response>?
    private let departure = Departure()

    /// Prepares a request, with the service's current settings.
    init(
        _ request: T, plugins: [any APIPlugin], encoding: (any APIParameterEncoding)?, service: APIService,
        progressHandler: APIProgressHandler?, cacheHandler: APICompletionHandler<T.Response>?
    ) {
        (self.request, self.plugins, self.encoding, self.service) = (request, plugins, encoding, service)
        settings = service.config.settings
        journal = Journal(clock: settings.clock)
        (self.progressHandler, self.cacheHandler) = (progressHandler, cacheHandler)
    }

    /// Builds the request to send, on the caller's actor: parameters, encoding, request interceptor and the
    /// plugins' `prepare`.
    func build() -> Result<BuiltRequest, APIError> {
        do {
            try signal.check()
            return .success(
                try RequestBuilder(
                    request: request, plugins: plugins, encoding: encoding, encoder: settings.encoder,
                    journal: journal
                ).build())
        } catch {
            return .failure(error)
        }
    }

    /// Sends the built request, calls `deliver` exactly once and returns the response that was delivered.
    @discardableResult
    nonisolated(nonsending) func run(
        _ built: Result<BuiltRequest, APIError>,
        deliver: nonisolated(nonsending) (Response) async -> Void = { _ in }
    ) async -> Response {
        // A separate task and timer would cost a small request more than everything else.
        let deadlines =
            settings.clock is ContinuousClock ? service.deadlines : Deadlines(clock: settings.clock)
        let limit = (request.timeout ?? settings.timeout).map { deadlines.add(signal, after: $0) }
        defer { if let limit { deadlines.remove(limit) } }
        var response = await response(to: built)
        let wasSent = departure.close()
        response.explanation = journal.explanation
        if wasSent {
            journal.note(.willReceive)
            for plugin in plugins { plugin.willReceive(response, targetRequest: request) }
        }
        response = await intercepted(response)
        journal.note(.delivery)
        if wasSent { journal.note(.didReceive) }
        response.explanation = journal.explanation
        await deliver(response)
        if wasSent {
            for plugin in plugins { plugin.didReceive(response, targetRequest: request) }
        }
        return response
    }

    /// Returns the response to the built request, or the reason of the signal that ended it early.
    private nonisolated(nonsending) func response(to built: Result<BuiltRequest, APIError>) async -> Response
    {
        do {
            let built = try built.get()
            do {
                // On an actor, the exchange's task creates the link, because lookups and parsing may take long.
                guard !isOnActor() else {
                    return try await signal.run { await self.exchange(built, self.cacheLink(built)) }
                }
                let cache = cacheLink(built)
                if let answer = cache?.immediateAnswer(to: built.urlRequest) { return response(answer) }
                return try await signal.run { await self.exchange(built, cache) }
            } catch {
                return Response(request: built.urlRequest, result: .failure(error))
            }
        } catch {
            return Response(result: .failure(error))
        }
    }

    /// Whether the caller runs on an actor.
    private func isOnActor(_ actor: isolated (any Actor)? = #isolation) -> Bool { actor != nil }

    /// Sends the request through the chain and parses the answer, in its own task.
    private func exchange(_ built: BuiltRequest, _ cache: (any Link)?) async -> Response {
        do {
            let answer = try await chain(built, cache)(built.urlRequest)
            return response(answer)
        } catch {
            return Response(request: built.urlRequest, result: .failure(APIError(building: error)))
        }
    }

    /// The links between a call and the client, in the order a request passes through them.
    private func chain(_ built: BuiltRequest, _ cache: (any Link)?) -> Next {
        let network = network(built)
        let departing: Next = { request in
            try depart(request)
            return try await network(request)
        }
        guard let cache else { return departing }
        return { try await cache.send($0, departing) }
    }

    /// The links that every answer from the server passes through.
    private func network(_ built: BuiltRequest) -> Next {
        let links: [(any Link)?] = [
            coalesces(built)
                ? Coalescing(exchanges: service.exchanges, users: settings.users, journal: journal) : nil,
            settings.tokenRefresh.map { Refreshing(refresh: $0, clock: settings.clock, journal: journal) },
            Retrying(
                policy: request.retry ?? settings.retry, limit: request.timeout ?? settings.timeout,
                settings: settings, journal: journal),
            settings.accessories.isEmpty ? nil : Adapting(settings.accessories, journal: journal),
        ]
        let transport = Transport(
            client: service.client, transfer: built.transfer, settings: settings, journal: journal,
            progressHandler: progressHandler)
        return links.reversed().reduce(transport.send) { next, link in
            guard let link else { return next }
            return { try await link.send($0, next) }
        }
    }

    // MARK: Links

    private func coalesces(_ built: BuiltRequest) -> Bool {
        // A request that a token refresh sends must not join an exchange that waits for the refresh.
        request.coalesces && !APITokenRefresh.isRunning && built.transfer == nil
            && APIRequestMethod(rawValue: built.urlRequest.httpMethod ?? "GET").isSafe
    }

    /// This property uses closures instead of key paths, because the runtime creates a key path into a
    /// generic type again at each use.
    private var cachePlugins: [CachePlugin<T>] {
        plugins.isEmpty ? [] : plugins.compactMap { $0 as? CachePlugin<T> }
    }

    private func cacheLink(_ built: BuiltRequest) -> (any Link)? {
        guard built.transfer == nil,
            let policy = cachePlugins.lazy.compactMap({ $0.cache }).first ?? request.cache,
            policy.readMode != .none || policy.writeMode != .none
        else {
            return APIRequestMethod(rawValue: built.urlRequest.httpMethod ?? "GET").isSafe
                ? nil : settings.cacheProvider?.invalidatingLink()
        }
        @Sendable func report(_ result: Result<APIAnswer, APICacheError>) {
            let handlers = (cacheHandler.map { [$0] } ?? []) + cachePlugins.compactMap { $0.cacheHandler }
            guard !handlers.isEmpty, signal.reason == nil else { return }
            var response: Response
            switch result {
            case .success(let answer): response = self.response(answer)
            case .failure(let error):
                response = Response(
                    request: built.urlRequest, result: .failure(.cacheError(error)), source: .cache)
            }
            response.explanation = journal.explanation
            for handler in handlers { handler(response) }
        }
        guard let provider = settings.cacheProvider else {
            let missing = "no cache is set. Import APICache and set APIConfig.cacheTool"
            journal.note(.cacheRead, missing)
            report(.failure(.unusable(missing)))
            return nil
        }
        return provider.link(
            for: CacheCall(
                policy: policy, settings: settings, credentialFields: service.client.credentialFields,
                journal: journal, accepts: { [request] in request.acceptableStatusCodes.contains($0) },
                parsed: parsed, background: { try await network(built)($0) }, report: report),
            built.urlRequest)
    }

    /// Calls the plugins' `willSend`, unless the request has already ended.
    private func depart(_ urlRequest: URLRequest) throws {
        let departs = departure.open {
            journal.note(.willSend)
            for plugin in plugins { plugin.willSend(urlRequest, targetRequest: request) }
        }
        guard departs else { throw CancellationError() }
    }

    // MARK: The way back

    /// Returns the answer with its parsed value.
    @Sendable private func parsed(_ answer: APIAnswer) throws(APIError) -> APIAnswer {
        var answer = answer
        do {
            let data = answer.file.map { Data($0.path.utf8) } ?? answer.body
            answer.value = try APIDecoder.$current.withValue(settings.decoder) {
                try T.Response.parse(data: data)
            }
            return answer
        } catch {
            throw APIError(parsing: error)
        }
    }

    /// Checks the answer's status, and parses its body unless a link has done so.
    private func response(_ answer: APIAnswer) -> Response {
        var response = Response(
            request: answer.request, response: answer.response, data: answer.file == nil ? answer.body : nil,
            result: .failure(.cancelled), source: answer.source)
        if let value = answer.value as? T.Response {
            response.result = .success(value)
            return response
        }
        do throws(APIError) {
            guard request.acceptableStatusCodes.contains(answer.response.statusCode) else {
                throw .responseError(
                    .unacceptableStatus(APIStatusFailure(answer.response, body: answer.body)))
            }
            journal.note(.parse)
            guard let value = try parsed(answer).value as? T.Response else {
                preconditionFailure("\(T.Response.self).parse returned a value of another type.")
            }
            response.result = .success(value)
        } catch {
            response.result = .failure(error)
        }
        return response
    }

    /// Calls the response interceptor. A request that was ended early skips it, and a request that is ended
    /// while the interceptor runs does not wait for it.
    private nonisolated(nonsending) func intercepted(_ response: Response) async -> Response {
        do {
            return try await signal.wait { answer in
                journal.note(.responseInterceptor)
                request.intercept(request: request, response: response, replaceResponseHandler: answer)
                return {}
            }
        } catch {
            var response = response
            (response.result, response.source) = (.failure(error), .network)
            return response
        }
    }
}

/// Whether a request has left for the network. A request that has ended can no longer leave, so that each
/// `willSend` has its `didReceive`.
private final class Departure: Sendable {
    private enum State { case waiting, departed, closed }
    private let state = Locked(State.waiting)

    /// Calls `announce` at the first call, unless the request has ended. Returns false if the request has ended.
    func open(_ announce: () -> Void) -> Bool {
        state.withLock { state in
            guard state == .waiting else { return state == .departed }
            state = .departed
            announce()
            return true
        }
    }

    /// Ends the request. Returns whether it has left.
    func close() -> Bool {
        state.withLock { state in
            defer { state = .closed }
            return state == .departed
        }
    }
}
