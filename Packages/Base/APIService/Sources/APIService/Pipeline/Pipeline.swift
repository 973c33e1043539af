import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Takes one request through all stages, in this order:
///
/// 1. parameters, encoding, request interceptor, prepare (``RequestBuilder``)
/// 2. cache read (``CacheReader``), on the caller's thread like stage 1; a hit that ends the request
///    continues with stage 7
/// 3. willSend
/// 4. coalescing (``Coalescer``), if the request asks for it
/// 5. accessories, transport (``Transport``) and status check, repeated after a refresh or a backoff
///    (``Exchange``)
/// 6. status check of the last attempt, in which a 304 becomes the stored response and a failure may become a
///    stale one; parse; cache write (``AnswerReader``)
/// 7. willReceive, response interceptor, delivery, didReceive (``finish(_:wasSent:deliver:)``)
///
/// Source: seeds/5-CSAPIService.md, "框架组成".
final class Pipeline<T: APIRequest>: Sendable {
    typealias Response = APIResponse<T.Response>

    /// The result of the synchronous stages. Indirect, so that passing the result on copies only a reference.
    indirect enum Front: Sendable {
        /// The request has ended: it failed, or its response came from the cache.
        case over(Response)
        /// The request continues to the network.
        case send(URLRequest, APIRequestTaskType, CacheReader?, APICacheEntry?)
    }

    let request: T
    let plugins: [any APIPlugin]
    let encoding: (any APIParameterEncoding)?
    let service: APIService
    let settings: APISettings
    let signal = CancelSignal()
    let journal: Journal
    let progressHandler: APIProgressHandler?
    let cacheHandler: APICompletionHandler<T.Response>?

    /// Creates the pipeline of a request, with the service's current settings.
    init(
        _ request: T, plugins: [any APIPlugin], encoding: (any APIParameterEncoding)?, service: APIService,
        progressHandler: APIProgressHandler?, cacheHandler: APICompletionHandler<T.Response>?
    ) {
        (self.request, self.plugins, self.encoding, self.service) = (request, plugins, encoding, service)
        settings = service.config.settings
        journal = Journal(clock: settings.clock)
        (self.progressHandler, self.cacheHandler) = (progressHandler, cacheHandler)
    }

    private var client: any APIClient { service.client }
    private var coalescer: Coalescer { service.coalescer }
    private var deadlines: Deadlines<ContinuousClock> { service.deadlines }

    // MARK: On the caller's thread

    /// Runs stages 1 and 2. Calls the cache handlers.
    func begin() -> Front {
        do {
            try signal.check()
            let (urlRequest, taskType) = try RequestBuilder(
                request: request, plugins: plugins, encoding: encoding, journal: journal
            ).build()
            return read(urlRequest, taskType)
        } catch {
            return .over(Response(result: .failure(error)))
        }
    }

    private var cachePlugins: [CachePlugin<T>] {
        plugins.isEmpty ? [] : plugins.compactMap { $0 as? CachePlugin<T> }
    }

    private func read(_ urlRequest: URLRequest, _ taskType: APIRequestTaskType) -> Front {
        let cache = plugins.isEmpty ? request.cache : cachePlugins.compactMap(\.cache).first ?? request.cache
        guard case .request = taskType, let cache,
            let reader = CacheReader(
                urlRequest, cache: cache, settings: settings, credentialFields: client.credentialFields)
        else { return .send(urlRequest, taskType, nil, nil) }
        switch reader.read(urlRequest) {
        case .off: return .send(urlRequest, taskType, reader, nil)
        case .miss:
            tell(.missing, "miss", urlRequest)
            return .send(urlRequest, taskType, reader, nil)
        case .expired(let entry):
            tell(.expired, "expired", urlRequest)
            return .send(
                reader.conditional(urlRequest, validating: entry) ?? urlRequest, taskType, reader, entry)
        case .fresh(let entry):
            guard let hit = hit(entry, urlRequest) else {
                settings.cacheTool.remove(reader.key)
                tell(.unusable("the cached response cannot be parsed"), "unusable", urlRequest)
                return .send(urlRequest, taskType, reader, nil)
            }
            journal.note(.cacheRead, "hit")
            tell(hit)
            if cache.readMode == .cancelNetwork { return .over(hit) }
            return .send(
                reader.conditional(urlRequest, validating: entry) ?? urlRequest, taskType, reader, entry)
        }
    }

    private func hit(_ entry: APICacheEntry, _ urlRequest: URLRequest) -> Response? {
        guard let value = try? T.Response.parse(data: entry.body) else { return nil }
        return Response(
            request: urlRequest, response: entry.response, data: entry.body, result: .success(value),
            source: .cache)
    }

    private func tell(_ error: APICacheError, _ note: String, _ urlRequest: URLRequest) {
        journal.note(.cacheRead, note)
        tell(Response(request: urlRequest, result: .failure(.cacheError(error)), source: .cache))
    }

    private func tell(_ response: Response) {
        guard cacheHandler != nil || !plugins.isEmpty else { return }
        let handlers = [cacheHandler].compactMap { $0 } + cachePlugins.compactMap { $0.cacheHandler }
        guard !handlers.isEmpty else { return }
        var response = response
        response.explanation = journal.explanation
        for handler in handlers { handler(response) }
    }

    // MARK: In a task

    /// Runs stages 3 to 7. Calls `deliver` exactly once and returns the response that was delivered.
    @discardableResult
    nonisolated(nonsending) func run(
        _ front: Front, deliver: nonisolated(nonsending) (Response) async -> Void = { _ in }
    ) async -> Response {
        switch front {
        case .over(let response): return await finish(response, wasSent: false, deliver: deliver)
        case .send(let urlRequest, let taskType, let reader, let entry):
            let limit = startLimit()
            defer { limit?.stop() }
            journal.note(.willSend)
            for plugin in plugins { plugin.willSend(urlRequest, targetRequest: request) }
            let result = await exchange(urlRequest, taskType, reader)
            let answer = AnswerReader<T>(
                request: request, reader: reader, entry: entry, settings: settings, journal: journal)
            return await finish(answer.read(result, of: urlRequest), wasSent: true, deliver: deliver)
        }
    }

    /// A running time limit.
    private enum Limit {
        case shared(Deadlines<ContinuousClock>, Int)
        case own(Task<Void, Never>)

        func stop() {
            switch self {
            case .shared(let deadlines, let id): deadlines.remove(id)
            case .own(let task): task.cancel()
            }
        }
    }

    private func startLimit() -> Limit? {
        guard let limit = request.timeout ?? settings.timeout else { return nil }
        let clock = settings.clock
        if clock is ContinuousClock { return .shared(deadlines, deadlines.add(signal, after: limit)) }
        return .own(
            Task { [signal] in
                do { try await clock.sleep(for: limit) } catch { return }
                signal.fire(.timedOut)
            })
    }

    private func exchange(
        _ urlRequest: URLRequest, _ taskType: APIRequestTaskType, _ reader: CacheReader?
    ) async -> Result<RawAnswer, APIError> {
        do {
            // A request that a token refresh sends must not join an exchange that waits for the refresh.
            if request.coalesces, !APITokenRefresh.isRunning, case .request = taskType,
                APIRequestMethod(rawValue: urlRequest.httpMethod ?? "GET").isSafe
            {
                return .success(try await shared(urlRequest))
            }
            return .success(try await exchange(taskType, signal).run(urlRequest))
        } catch {
            // If the request was ended early, report the reason and not the error that resulted from it.
            return .failure(signal.reason ?? error)
        }
    }

    private func shared(_ urlRequest: URLRequest) async throws(APIError) -> RawAnswer {
        let key = APICacheKey(sharing: urlRequest, users: settings.users)
        return try await coalescer.share(key, signal: signal) { part in
            journal.note(.coalescing, part.description)
        } _: { [self] signal in
            await exchange(.request, signal).result(urlRequest)
        }
    }

    private func exchange(_ taskType: APIRequestTaskType, _ signal: CancelSignal) -> Exchange {
        Exchange(
            client: client, settings: settings, retry: request.retry ?? settings.retry, taskType: taskType,
            signal: signal, journal: journal, progressHandler: progressHandler)
    }

    /// Runs stage 7. A request that was ended early skips its response interceptor, and a request that is
    /// ended while the interceptor runs does not wait for it.
    private nonisolated(nonsending) func finish(
        _ response: Response, wasSent: Bool, deliver: nonisolated(nonsending) (Response) async -> Void
    ) async -> Response {
        var response = response
        var limit: Limit?
        defer { limit?.stop() }
        response.explanation = journal.explanation
        if wasSent {
            journal.note(.willReceive)
            for plugin in plugins { plugin.willReceive(response, targetRequest: request) }
        }
        do {
            let before = response
            response = try await signal.wait { answer in
                journal.note(.responseInterceptor)
                request.intercept(request: request, response: before, replaceResponseHandler: answer)
                return {}
            } unanswered: {
                // A request that was sent already has its time limit.
                if !wasSent { limit = startLimit() }
            }
        } catch {
            response.result = .failure(error)
            response.source = .network
        }
        journal.note(.delivery)
        if wasSent { journal.note(.didReceive) }
        response.explanation = journal.explanation
        await deliver(response)
        if wasSent {
            for plugin in plugins { plugin.didReceive(response, targetRequest: request) }
        }
        return response
    }
}
