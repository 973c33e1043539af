import Offers
import URLGrammar

extension Routes {
    /// Makes a call from inside the app to the route that matches a URL.
    ///
    /// A main-actor handler is called only if the caller is on the main actor.
    ///
    /// - Parameters:
    ///   - url: The URL as a string or a Foundation `URL`, in the grammar of `AppURL`: a whole URL or a name
    ///     such as `bybus_vc`. Any text may be passed; an invalid URL gives the result `failed`.
    ///   - parameters: Additional parameters: plain values, closures or any other Sendable values.
    /// - Returns: The handler's result, or the reason why no handler was called.
    @discardableResult
    public func routeURL(_ url: some URLText, parameters: [String: any Sendable] = [:]) -> RouteResult {
        call(url.urlText, parameters, isRemote: false)
    }

    /// Makes a call from inside the app to the route that matches a URL. The handler may be async, or run on the main
    /// actor.
    ///
    /// Routing, guards and synchronous handlers run on the caller's actor.
    @discardableResult
    public nonisolated(nonsending) func routeURL(
        _ url: some URLText, parameters: [String: any Sendable] = [:]
    ) async -> RouteResult {
        await call(url.urlText, parameters, isRemote: false)
    }

    /// Makes a call from inside the app to the route that matches a URL, and casts the handler's value to a type.
    ///
    /// ```swift
    /// let page = try routes.routeURL(RideRoute.main, as: RideVC.self)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL as a string or a Foundation `URL`.
    ///   - parameters: Additional parameters.
    ///   - type: The type of the value. Use an optional type if the handler may return nil.
    /// - Returns: The handler's value.
    /// - Throws: The result's error if the call was not handled; ``RouteError`` with `unexpectedResult` if the value
    ///   has another type.
    public func routeURL<T: Sendable>(
        _ url: some URLText, parameters: [String: any Sendable] = [:], as type: T.Type
    ) throws(RouteError) -> T {
        try routeURL(url, parameters: parameters).typed(as: type, url.urlText)
    }

    /// Makes a call from inside the app to the route that matches a URL, and casts the handler's value to a type. The
    /// handler may be async, or run on the main actor.
    public nonisolated(nonsending) func routeURL<T: Sendable>(
        _ url: some URLText, parameters: [String: any Sendable] = [:], as type: T.Type
    ) async throws(RouteError) -> T {
        let text = url.urlText
        return try await routeURL(text, parameters: parameters).typed(as: type, text)
    }

    /// Opens a URL from outside the app by calling the matching route.
    ///
    /// The route is found as in a call from inside the app. If the route is not offered `from: .outside`, the
    /// result is `denied`, even if another matching route is offered `from: .outside`. Query items whose
    /// names begin with `@` are reserved and dropped.
    ///
    /// - Parameters:
    ///   - url: The URL as a string or a Foundation `URL`.
    ///   - parameters: Additional parameters from the app itself, such as the system's information about the caller.
    /// - Returns: The handler's result, or the reason why no handler was called.
    @discardableResult
    public func openUrl(_ url: some URLText, parameters: [String: any Sendable] = [:]) -> RouteResult {
        call(url.urlText, parameters, isRemote: true)
    }

    /// Opens a URL from outside the app by calling the matching route. The handler may be async, or run on the main
    /// actor.
    @discardableResult
    public nonisolated(nonsending) func openUrl(
        _ url: some URLText, parameters: [String: any Sendable] = [:]
    ) async -> RouteResult {
        await call(url.urlText, parameters, isRemote: true)
    }

    /// Whether a URL leads to a route with a handler, directly or through redirects.
    ///
    /// Calls neither handlers nor guards.
    ///
    /// - Parameters:
    ///   - url: The URL as a string or a Foundation `URL`.
    ///   - callers: `.outside` if the call would come from outside the app.
    /// - Returns: Whether a call would find a handler.
    public func canRoute(_ url: some URLText, from callers: Offer.Callers = .inside) -> Bool {
        let trie = table.withLock { $0.trie() }
        if case .found = find(url.urlText, isRemote: callers == .outside, in: trie) { return true }
        return false
    }

    /// Adds a guard for all calls.
    ///
    /// In every call, the guards run after a route is found and before its handler is called, in the order in which
    /// they were added. When a guard returns a reason, the result is `denied`, and no further guard is called.
    ///
    /// - Parameter check: Returns nil to allow the call, or the reason to deny it, as text for the error.
    public func addGuard(_ check: @escaping @Sendable (RouteRequest) -> String?) {
        table.withLock { $0.guards.append(check) }
    }

    /// Sets the handler for URLs that no route matches.
    ///
    /// - Parameter handler: Its result becomes the result of the call. Nil removes the current handler.
    public func setUnmatched(_ handler: (@Sendable (RouteRequest) -> RouteResult)?) {
        // The old handler is released outside the lock, because releasing it may run the app's deinitialisers.
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
        case .call(let handler, let route, let request):
            do {
                return try handler.call(request.parameters).completed(route, text)
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
        case .call(let handler, let route, let request):
            do {
                return try await handler.call(request.parameters).completed(route, text)
            } catch {
                return RouteResult(thrown: error).completed(route, text)
            }
        }
    }

    /// Finds the route and calls the guards, or calls the unmatched handler.
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
        case .found(let handler, let leaf, let url):
            let route = leaf.route
            let request = request(url, leaf, passed, isRemote: isRemote)
            for check in guards {
                if let reason = check(request) {
                    return .result(RouteResult.denied(reason).completed(route, text))
                }
            }
            return .call(handler, route, request)
        }
    }
}

extension RouteResult {
    /// Casts the value to the requested type. Throws the result's error, or `unexpectedResult` if the cast fails.
    fileprivate func typed<T>(as type: T.Type, _ url: String) throws(RouteError) -> T {
        if let error { throw error }
        if let value = value as? T { return value }
        throw RouteError(
            .unexpectedResult, url: url, expected: "\(T.self)",
            found: value.map { "\(Swift.type(of: $0))" } ?? "nil")
    }
}
