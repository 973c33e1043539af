import URLGrammar

extension Routes {
    /// The local call: finds the route of a URL and calls its handler, at once.
    ///
    /// - Parameters:
    ///   - url: The URL's text (`url.absoluteString`), in the grammar of `AppURL`, any bytes at all: a
    ///     whole URL or a name such as `bybus_vc`.
    ///   - parameters: Further parameters: plain values, closures, anything Sendable.
    /// - Returns: What the handler returns, or why none was called.
    @discardableResult
    public func routeURL(_ url: String, parameters: [String: any Sendable] = [:]) -> RouteResult {
        call(url, parameters, isRemote: false)
    }

    /// The local call, for async handlers and others.
    ///
    /// It runs on the caller's actor up to the handler.
    ///
    /// - Parameters:
    ///   - url: The URL's text.
    ///   - parameters: Further parameters.
    /// - Returns: What the handler returns, or why none was called.
    @discardableResult
    public nonisolated(nonsending) func routeURL(
        _ url: String, parameters: [String: any Sendable] = [:]
    ) async -> RouteResult {
        await call(url, parameters, isRemote: false)
    }

    /// The remote call: as `routeURL(_:parameters:)`, for URLs from outside the app.
    ///
    /// Only routes that are marked remote are called. Which route a URL means is the same as inside: a
    /// local route is refused with `denied`, it does not make way for another. Names of the query that
    /// begin with `@` are reserved and dropped.
    ///
    /// - Parameters:
    ///   - url: The URL's text.
    ///   - parameters: Further parameters, from the app itself: what the system told about the caller, say.
    /// - Returns: What the handler returns, or why none was called.
    @discardableResult
    public func open(_ url: String, parameters: [String: any Sendable] = [:]) -> RouteResult {
        call(url, parameters, isRemote: true)
    }

    /// The remote call, for async handlers and others.
    ///
    /// It runs on the caller's actor up to the handler.
    ///
    /// - Parameters:
    ///   - url: The URL's text.
    ///   - parameters: Further parameters, from the app itself.
    /// - Returns: What the handler returns, or why none was called.
    @discardableResult
    public nonisolated(nonsending) func open(
        _ url: String, parameters: [String: any Sendable] = [:]
    ) async -> RouteResult {
        await call(url, parameters, isRemote: true)
    }

    /// Whether a URL has a route with a handler, redirects followed.
    ///
    /// Nothing is called, guards neither.
    ///
    /// - Parameters:
    ///   - url: The URL's text.
    ///   - remote: Whether to ask for a call from outside.
    /// - Returns: Whether the URL has a handler.
    public func canRoute(_ url: String, remote: Bool = false) -> Bool {
        let trie = table.withLock { $0.trie() }
        if case .found = find(url, isRemote: remote, in: trie) { return true }
        return false
    }

    /// Adds a guard for all calls.
    ///
    /// Guards are asked after a route is found and before its handler, each time, in the order they were
    /// added; the first reason gives the result `denied`.
    ///
    /// - Parameter check: Returns why the call is refused, in words for the error, or nil to let it pass.
    public func addGuard(_ check: @escaping @Sendable (RouteRequest) -> String?) {
        table.withLock { $0.guards.append(check) }
    }

    /// Sets what answers a URL that no route has.
    ///
    /// - Parameter handler: Its result becomes the call's. Nil takes it away.
    public func setUnmatched(_ handler: (@Sendable (RouteRequest) -> RouteResult)?) {
        // What is replaced leaves the lock alive: its deinitialisers are the app's code.
        _ = table.withLock { table in
            defer { table.unmatched = handler }
            return table.unmatched
        }
    }
}

extension Routes {
    private func call(_ text: String, _ passed: [String: any Sendable], isRemote: Bool) -> RouteResult {
        switch resolve(text, passed, isRemote: isRemote) {
        case .result(let result): return result
        case .call(let route, let request):
            guard case .handler(let handler) = route.answer else {
                return .failed(RouteError(.needsAwait, pattern: request.pattern, url: text))
            }
            do {
                return try handler(request.parameters).completed(route, text)
            } catch {
                return RouteResult(thrown: error).completed(route, text)
            }
        }
    }

    private nonisolated(nonsending) func call(
        _ text: String, _ passed: [String: any Sendable], isRemote: Bool
    ) async -> RouteResult {
        switch resolve(text, passed, isRemote: isRemote) {
        case .result(let result): return result
        case .call(let route, let request):
            do {
                switch route.answer {
                case .handler(let handler): return try handler(request.parameters).completed(route, text)
                case .asyncHandler(let handler):
                    return try await handler(request.parameters).completed(route, text)
                case .redirect, .absent: return .noMatch(RouteError(.noMatch, url: text))
                }
            } catch {
                return RouteResult(thrown: error).completed(route, text)
            }
        }
    }

    /// Finds what answers, and asks the guards and the unmatched handler.
    private func resolve(
        _ text: String, _ passed: [String: any Sendable], isRemote: Bool
    ) -> RouteSearch {
        let (trie, guards, unmatched) = table.withLock { ($0.trie(), $0.guards, $0.unmatched) }
        switch find(text, isRemote: isRemote, in: trie) {
        case .noMatch(let url):
            guard let unmatched else { return .result(.noMatch(RouteError(.noMatch, url: text))) }
            let request = request(url, nil, passed, isRemote: isRemote)
            return .result(unmatched(request).completed(nil, text))
        case .result(let result): return .result(result)
        case .found(let leaf, let url):
            let route = leaf.route
            let request = request(url, leaf, passed, isRemote: isRemote)
            for check in guards {
                if let reason = check(request) {
                    return .result(RouteResult.denied(reason).completed(route, text))
                }
            }
            return .call(route, request)
        }
    }
}
