import ApiCenter
import Links

extension Routes {
    /// Makes a call from inside the app to the route that matches a URL.
    ///
    /// A main-actor handler is called only if the caller is on the main actor.
    ///
    /// - Parameters:
    ///   - url: The URL as a string or a Foundation `URL`, in the grammar of `AppURL`: a whole URL or a name
    ///     such as `bybus_vc`. Any text may be passed; an invalid URL gives a failure with `badURL`.
    ///   - parameters: Additional parameters: plain values, closures or any other Sendable values.
    ///   - fileID: The caller's file, for the observer.
    ///   - line: The caller's line, for the observer.
    /// - Returns: The handler's result, or the reason why no handler was called.
    @discardableResult
    public func routeURL(
        _ url: some URLText, parameters: [String: any Sendable] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> RouteResult {
        call(url.urlText, parameters, isRemote: false, CallSite(fileID: fileID, line: line))
    }

    /// Makes a call from inside the app to the route that matches a URL. The handler may be async, or run on the main
    /// actor.
    ///
    /// Routing, the guard and synchronous handlers run on the caller's actor.
    @discardableResult
    public nonisolated(nonsending) func routeURL(
        _ url: some URLText, parameters: [String: any Sendable] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) async -> RouteResult {
        await call(url.urlText, parameters, isRemote: false, CallSite(fileID: fileID, line: line))
    }

    /// Makes a call from inside the app to the route that matches a URL, and casts the handler's value to a type.
    ///
    /// ```swift
    /// let page = try routes.routeURL(RideRoute.main, as: (any Page).self)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL as a string or a Foundation `URL`.
    ///   - parameters: Additional parameters.
    ///   - type: The type of the value. Use an optional type if the handler may return nil.
    ///   - fileID: The caller's file, for the observer.
    ///   - line: The caller's line, for the observer.
    /// - Returns: The handler's value.
    /// - Throws: ``RouteError``: the error of a failed call, or `unexpectedResult` if the value has another type.
    public func routeURL<T: Sendable>(
        _ url: some URLText, parameters: [String: any Sendable] = [:], as type: T.Type,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(RouteError) -> T {
        try routeURL(url, parameters: parameters, fileID: fileID, line: line).typed(as: type, url.urlText)
    }

    /// Makes a call from inside the app to the route that matches a URL, and casts the handler's value to a type. The
    /// handler may be async, or run on the main actor.
    public nonisolated(nonsending) func routeURL<T: Sendable>(
        _ url: some URLText, parameters: [String: any Sendable] = [:], as type: T.Type,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(RouteError) -> T {
        let text = url.urlText
        return try await routeURL(text, parameters: parameters, fileID: fileID, line: line).typed(
            as: type, text)
    }

    /// Opens a URL from outside the app by calling the matching route.
    ///
    /// The route is found as in a call from inside the app. If the route is not written `from: .outside`, the
    /// call fails with `localOnly`, even if another matching route is written `from: .outside`. Query items whose
    /// names begin with `@` are reserved and dropped.
    ///
    /// - Parameters:
    ///   - url: The URL as a string or a Foundation `URL`.
    ///   - parameters: Additional parameters from the app itself, such as the system's information about the caller.
    ///   - fileID: The caller's file, for the observer.
    ///   - line: The caller's line, for the observer.
    /// - Returns: The handler's result, or the reason why no handler was called.
    @discardableResult
    public func openUrl(
        _ url: some URLText, parameters: [String: any Sendable] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> RouteResult {
        call(url.urlText, parameters, isRemote: true, CallSite(fileID: fileID, line: line))
    }

    /// Opens a URL from outside the app by calling the matching route. The handler may be async, or run on the main
    /// actor.
    @discardableResult
    public nonisolated(nonsending) func openUrl(
        _ url: some URLText, parameters: [String: any Sendable] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) async -> RouteResult {
        await call(url.urlText, parameters, isRemote: true, CallSite(fileID: fileID, line: line))
    }

    /// Whether a URL leads to a handler. Calls neither the handler nor the guard nor the observer.
    ///
    /// - Parameters:
    ///   - url: The URL as a string or a Foundation `URL`.
    ///   - callers: `.outside` if the call would come from outside the app.
    /// - Returns: Whether a call would find a handler.
    public func canRoute(_ url: some URLText, from callers: Link.Callers = .inside) -> Bool {
        guard let url = try? AppURL(url.urlText), let leaf = table.withLock({ $0.trie() }).match(url),
            case .handler = leaf.route.answer
        else { return false }
        return leaf.route.isRemote || callers == .inside
    }
}

/// A call that has begun: its route is found, and the observer knows of it.
private struct BegunCall {
    enum Step {
        case call(Handler, Link.Call)
        case result(RouteResult)
    }

    let next: Step
    let pattern: String?
    let url: String
    let end: (@Sendable ((any Error)?) -> Void)?

    func ended(_ result: RouteResult) -> RouteResult {
        if let end { end(result.error) }
        return result
    }

    func failed(_ error: any Error) -> RouteResult {
        ended(.failure(RouteError(thrown: error, pattern: pattern, url: url)))
    }
}

extension Routes {
    private func call(
        _ text: String, _ passed: [String: any Sendable], isRemote: Bool, _ site: CallSite
    ) -> RouteResult {
        let call = begin(text, passed, isRemote: isRemote, site)
        switch call.next {
        case .result(let result): return call.ended(result)
        case .call(let handler, let input):
            do { return call.ended(.success(try handler.call(input))) } catch { return call.failed(error) }
        }
    }

    private nonisolated(nonsending) func call(
        _ text: String, _ passed: [String: any Sendable], isRemote: Bool, _ site: CallSite
    ) async -> RouteResult {
        let call = begin(text, passed, isRemote: isRemote, site)
        switch call.next {
        case .result(let result): return call.ended(result)
        case .call(let handler, let input):
            do { return call.ended(.success(try await handler.call(input))) } catch {
                return call.failed(error)
            }
        }
    }

    /// Parses the URL, finds its route, tells the observer, and asks the guard or the not-found handler.
    private func begin(
        _ text: String, _ passed: [String: any Sendable], isRemote: Bool, _ site: CallSite
    ) -> BegunCall {
        let (trie, hooks) = table.withLock { ($0.trie(), $0.hooks) }
        let url: AppURL
        do {
            url = try AppURL(text)
        } catch {
            let end = hooks.observer?(LinkCall(site, text, nil, isRemote))
            let failure = RouteError(.badURL(error), url: error.url)
            return BegunCall(next: .result(.failure(failure)), pattern: nil, url: text, end: end)
        }
        let leaf = trie.match(url)
        let end = hooks.observer?(LinkCall(site, text, leaf?.route, isRemote))
        let next: BegunCall.Step =
            if let leaf {
                step(url, text, leaf, passed, isRemote, hooks)
            } else {
                .result(noMatch(url, text, passed, isRemote, trie, hooks))
            }
        return BegunCall(next: next, pattern: leaf?.route.text, url: text, end: end)
    }

    private func step(
        _ url: AppURL, _ text: String, _ leaf: RouteTrie.Leaf, _ passed: [String: any Sendable],
        _ isRemote: Bool, _ hooks: RouteTable.Hooks
    ) -> BegunCall.Step {
        let route = leaf.route
        func refused(_ reason: RouteError.Reason) -> BegunCall.Step {
            .result(.failure(RouteError(reason, pattern: route.text, url: text)))
        }
        guard case .handler(let handler) = route.answer else { return refused(.absentModule(route.module)) }
        if isRemote, !route.isRemote { return refused(.localOnly) }
        let parameters = parameters(url, leaf, passed, isRemote: isRemote)
        if let check = hooks.check {
            let request = RouteRequest(
                url: url, pattern: route.text, parameters: parameters, isRemote: isRemote)
            if let reason = check(request) { return refused(.denied(reason)) }
        }
        return .call(handler, Link.Call(parameters))
    }

    /// The parameters of a call. Path parameters take precedence over passed ones, which take precedence over the query.
    private func parameters(
        _ url: AppURL, _ leaf: RouteTrie.Leaf?, _ passed: [String: any Sendable], isRemote: Bool
    ) -> Parameters {
        var values = leaf?.values(in: url.segments).values ?? [:]
        if !passed.isEmpty { values.merge(passed) { earlier, _ in earlier } }
        if !url.query.isEmpty {
            for (key, value) in url.queryValues()
            where !(isRemote && AppURL.isReserved(key)) && values[key] == nil {
                values[key] = value
            }
        }
        if let fragment = url.fragment { values["@fragment"] = fragment }
        return Parameters(values, of: leaf?.route.text)
    }

    private func noMatch(
        _ url: AppURL, _ text: String, _ passed: [String: any Sendable], _ isRemote: Bool, _ trie: RouteTrie,
        _ hooks: RouteTable.Hooks
    ) -> RouteResult {
        let similar = trie.matchLoosely(url)
        if let similar, let rejected = similar.values(in: url.segments).rejected {
            return .failure(RouteError(.badParameter(rejected), pattern: similar.route.text, url: text))
        }
        let error = RouteError(.noMatch, url: text, similar: similar?.route.text)
        guard let notFound = hooks.notFound else { return .failure(error) }
        let parameters = parameters(url, nil, passed, isRemote: isRemote)
        let result = notFound(
            RouteRequest(url: url, pattern: nil, parameters: parameters, isRemote: isRemote), error)
        return result.error.map { .failure(RouteError(thrown: $0, pattern: nil, url: text)) } ?? result
    }
}

extension LinkCall {
    fileprivate init(_ site: CallSite, _ url: String, _ route: Route?, _ isRemote: Bool) {
        self.init(
            caller: site, requested: url, link: route.map { .route($0.text) }, module: route?.module,
            isRemote: isRemote)
    }
}
