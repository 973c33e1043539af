import URLGrammar

extension Routes {
    /// Calls the route that matches a URL, from inside the app.
    ///
    /// - Parameters:
    ///   - url: The URL's text (`url.absoluteString`) in the grammar of `AppURL`: a whole URL or a name
    ///     such as `bybus_vc`. Any text may be passed; an invalid URL gives the result `failed`.
    ///   - parameters: Additional parameters: plain values, closures, anything Sendable.
    /// - Returns: The handler's result, or the reason why no handler was called.
    @discardableResult
    public func routeURL(_ url: String, parameters: [String: any Sendable] = [:]) -> RouteResult {
        call(url, parameters, isRemote: false)
    }

    /// Calls the route that matches a URL, from inside the app; its handler may be async.
    ///
    /// Routing, guards and synchronous handlers run on the caller's actor.
    ///
    /// - Parameters:
    ///   - url: The URL's text.
    ///   - parameters: Additional parameters.
    /// - Returns: The handler's result, or the reason why no handler was called.
    @discardableResult
    public nonisolated(nonsending) func routeURL(
        _ url: String, parameters: [String: any Sendable] = [:]
    ) async -> RouteResult {
        await call(url, parameters, isRemote: false)
    }

    /// Calls the route that matches a URL which came from outside the app.
    ///
    /// The route is found as in a call from inside the app. If the route is not marked remote, the result is
    /// `denied`, even if a remote route would match as well. Query names that begin with `@` are reserved and
    /// dropped.
    ///
    /// - Parameters:
    ///   - url: The URL's text.
    ///   - parameters: Additional parameters from the app itself, for example what the system reports about
    ///     the caller.
    /// - Returns: The handler's result, or the reason why no handler was called.
    @discardableResult
    public func open(_ url: String, parameters: [String: any Sendable] = [:]) -> RouteResult {
        call(url, parameters, isRemote: true)
    }

    /// Calls the route that matches a URL which came from outside the app; its handler may be async.
    ///
    /// Routing, guards and synchronous handlers run on the caller's actor.
    ///
    /// - Parameters:
    ///   - url: The URL's text.
    ///   - parameters: Additional parameters from the app itself.
    /// - Returns: The handler's result, or the reason why no handler was called.
    @discardableResult
    public nonisolated(nonsending) func open(
        _ url: String, parameters: [String: any Sendable] = [:]
    ) async -> RouteResult {
        await call(url, parameters, isRemote: true)
    }

    /// Whether a URL leads to a route with a handler, directly or through redirects.
    ///
    /// Calls neither handlers nor guards.
    ///
    /// - Parameters:
    ///   - url: The URL's text.
    ///   - remote: Whether the call would come from outside the app, where only remote routes count.
    /// - Returns: Whether a call would find a handler.
    public func canRoute(_ url: String, remote: Bool = false) -> Bool {
        let trie = table.withLock { $0.trie() }
        if case .found = find(url, isRemote: remote, in: trie) { return true }
        return false
    }

    /// Adds a guard for all calls.
    ///
    /// Every call consults the guards, in the order in which they were added, after finding a route and
    /// before calling the handler. The first reason that a guard returns gives the result `denied`.
    ///
    /// - Parameter check: Returns nil to allow the call, or the reason to refuse it, as text for the error.
    public func addGuard(_ check: @escaping @Sendable (RouteRequest) -> String?) {
        table.withLock { $0.guards.append(check) }
    }

    /// Sets the handler for URLs that no route matches.
    ///
    /// - Parameter handler: Its result becomes the result of the call. Nil removes the current handler.
    public func setUnmatched(_ handler: (@Sendable (RouteRequest) -> RouteResult)?) {
        // The old handler is released outside the lock, because its deinitialisers may run code of the app.
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

    /// Finds the route and asks the guards, or calls the unmatched handler.
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
