import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request on its way from `sendRequest` to its delivered response: build, look in the cache, authorise, send, validate,
/// store, finish. ``run(_:plugins:deliver:)``, ``answer(to:)`` and ``exchange(_:until:)`` are the whole way. Each step is a
/// method in a file of its own, and no step calls an earlier one.
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
    package let users: [String?]
    /// The users whose credentials the accessories added when the call was made.
    let accounts: [String?]
    private let service: APIService
    var client: any APIClient { service.client }
    let transfer: (any APITransfer)?
    let retry: APIRetryPolicy
    /// The time limit.
    let limit: Duration?
    let progressHandler: APIProgressHandler?
    package let acceptableStatusCodes: Set<Int>
    /// Ends the call early.
    let signal = CancelSignal()
    let departure = Departure()
    /// The request before accessories adapt it.
    private let urlRequest: Result<URLRequest, APIError>
    private let sharing: (any SharingProvider)?
    private let deadlines: Deadlines

    // These steps depend on the request's types.
    let parse: @Sendable (Data) throws(APIError) -> any Sendable
    private let willSend: @Sendable (URLRequest) -> Void
    private let tellCacheHandlers: (@Sendable (Result<APIAnswer, APICacheError>, URLRequest) -> Void)?

    /// Builds the request to send, on the caller's actor. The call keeps the settings as they are now. Builds nothing if the
    /// caller has been cancelled.
    init<T: APIRequest>(
        _ request: T, plugins: [any APIPlugin], encoding: (any APIParameterEncoding)?, service: APIService,
        progressHandler: APIProgressHandler?, cacheHandler: APICompletionHandler<T.Response>?,
        isCancelled: Bool = false
    ) {
        // Without a local copy, because the settings have many references to count.
        settings = service.config.settings
        let journal = Journal(clock: settings.clock)
        (self.journal, self.progressHandler) = (journal, progressHandler)
        (self.service, accounts) = (service, settings.accounts)
        users = settings.users(with: accounts)
        do throws(APIError) {
            if isCancelled { throw .cancelled }
            try request.check(accounts)
            let built = try RequestBuilder(
                request: request, plugins: plugins, encoding: encoding, settings: settings,
                journal: journal
            ).build()
            (urlRequest, transfer) = (.success(built.urlRequest), built.transfer)
            // A request that a token refresh sends must not join an exchange that waits for the refresh. The progress of
            // a shared exchange has one handler.
            let isShared =
                transfer == nil && progressHandler == nil && !APITokenRefresh.isRunning
                && built.urlRequest.method.isSafe && settings.sharing?.shares(request) ?? false
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
        do {
            let urlRequest = try urlRequest.get()
            // Off the caller's actor, because lookups and parsing may take a long time.
            let answer = try await self.answer(to: urlRequest)
            response = APIResponse(answer)
        } catch {
            response = APIResponse(
                request: try? urlRequest.get(), result: .failure(APIError(building: error)))
        }
        return await finish(response, request, plugins, deliver)
    }

    /// Returns the parsed answer, from the cache or from the server.
    ///
    /// - Throws: The error of the first step that fails, or the reason of the signal that ended the call early.
    @concurrent private func answer(to request: URLRequest) async throws -> APIAnswer {
        guard var cache = try await lookUp(request) else {
            let answer = await validated(try await exchange(request))
            if !request.method.isSafe { settings.cacheProvider?.invalidate(request, by: answer) }
            return answer
        }
        if let hit = cache.hit { return hit }
        var result = await Result { try await exchange(cache.request) }
        if cache.forgetsEntry(after: result) { result = await Result { try await exchange(cache.request) } }
        let answer = await validated(try cache.validated(result))
        return try cache.store(answer)
    }

    /// Returns the result of the cache lookup; `nil` if the request does not use the cache.
    private func lookUp(_ request: URLRequest) async throws -> (any CacheFinding)? {
        guard transfer == nil, policy.readMode != .none || policy.writeMode != .none else { return nil }
        guard let provider = settings.cacheProvider else {
            let missing = "no cache is set. Import APICache and set APIConfig.cacheTool"
            journal.note(.cacheRead, missing)
            report(.failure(.unusable(missing)), for: request)
            return nil
        }
        return try await provider.lookUp(request, for: self)
    }

    /// The header fields that carry credentials.
    package var credentialFields: Set<String> { client.credentialFields }

    /// Reports the result of the cache lookup to the caller.
    package func report(_ result: Result<APIAnswer, APICacheError>, for request: URLRequest) {
        if let tellCacheHandlers, signal.reason == nil { tellCacheHandlers(result, request) }
    }

    /// Tells the plugins, and returns the answer of the request's own exchange or of a shared one.
    private func exchange(_ request: URLRequest) async throws -> APIAnswer {
        try signal.check()
        let hasNotEnded = departure.open {
            journal.note(.willSend)
            willSend(request)
        }
        guard hasNotEnded else { throw CancellationError() }
        guard let sharing else { return try await exchange(request, until: signal) }
        // A shared exchange may outlive the request that began it.
        let own = CancelSignal()
        return try await signal.run {
            try await sharing.join(request, self.group, self.journal, cancel: { own.fire(.cancelled) }) {
                try await self.exchange(request, until: own)
            }
        }.get()
    }

    /// The calls that may share an exchange with this one.
    private var group: SharingGroup {
        SharingGroup(
            service: ObjectIdentifier(service), generation: settings.generation, users: users,
            accounts: accounts, retry: retry, limit: limit)
    }

    /// Authorises and sends the request, as often as redirects, retries and token refreshes demand.
    private func exchange(_ request: URLRequest, until signal: CancelSignal) async throws -> APIAnswer {
        var repeats = Repeats(self, request)
        while true {
            var result = await Result { try await send(authorise(&repeats.hop, signal), repeats.hop, signal) }
            guard try await repeats.mustSend(after: &result, signal) else { return try result.get() }
        }
    }
}

extension Result where Failure == any Error {
    /// Runs an operation and keeps its result.
    fileprivate init(_ operation: () async throws -> Success) async {
        do {
            self = .success(try await operation())
        } catch {
            self = .failure(error)
        }
    }
}

/// A cache, which takes part in a call.
package protocol CacheProvider: Sendable {
    /// Looks up a request, and reports the result with ``Call/report(_:for:)``.
    func lookUp(_ request: URLRequest, for call: Call) async throws -> any CacheFinding

    /// Removes the responses that a successful unsafe request, which itself does not use the cache, has made invalid.
    func invalidate(_ request: URLRequest, by answer: APIAnswer)

    /// Removes all responses of a user.
    func removeAll(user: String?)
}

/// The result of a lookup, which knows how to use the server's answer.
package protocol CacheFinding: Sendable {
    /// The parsed answer that ends the call; `nil` if the request must be sent.
    var hit: APIAnswer? { get }

    /// The request to send, which may validate a stored response.
    var request: URLRequest { get }

    /// Whether the answer is about another response than the stored one, so that ``request``, now without conditions, must be
    /// sent.
    mutating func forgetsEntry(after result: Result<APIAnswer, any Error>) -> Bool

    /// Returns the server's answer, or the stored response if the server has validated it or may be replaced by it.
    ///
    /// - Throws: The error of `result`.
    mutating func validated(_ result: Result<APIAnswer, any Error>) throws -> APIAnswer

    /// Stores a parsed answer, if it may be stored, and returns it.
    ///
    /// - Throws: ``APIError/cacheError(_:)`` if the server has validated a response that cannot be parsed.
    func store(_ answer: APIAnswer) throws -> APIAnswer
}
