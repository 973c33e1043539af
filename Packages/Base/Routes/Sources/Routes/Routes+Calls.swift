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
    /// - Returns: The handler's value; or the reason why no handler was called, or why it failed: the ``RouteError`` that
    ///   it threw or returned, and otherwise `badParameter` or `handlerFailed`.
    @discardableResult
    public func routeURL(
        _ url: some URLText, parameters: [String: any Sendable] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> RouteResult {
        call(url.urlText, parameters, from: .inside, fileID, line)
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
        await call(url.urlText, parameters, from: .inside, fileID, line)
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
        try LinkError.cast(
            routeURL(url, parameters: parameters, fileID: fileID, line: line).get(), to: type,
            url: url.urlText)
    }

    /// Makes a call from inside the app to the route that matches a URL, and casts the handler's value to a type. The
    /// handler may be async, or run on the main actor.
    public nonisolated(nonsending) func routeURL<T: Sendable>(
        _ url: some URLText, parameters: [String: any Sendable] = [:], as type: T.Type,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(RouteError) -> T {
        let text = url.urlText
        return try LinkError.cast(
            await routeURL(text, parameters: parameters, fileID: fileID, line: line).get(), to: type,
            url: text)
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
    /// - Returns: The handler's value; or the reason why no handler was called, or why it failed: the ``RouteError`` that
    ///   it threw or returned, and otherwise `badParameter` or `handlerFailed`.
    @discardableResult
    public func openUrl(
        _ url: some URLText, parameters: [String: any Sendable] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> RouteResult {
        call(url.urlText, parameters, from: .outside, fileID, line)
    }

    /// Opens a URL from outside the app by calling the matching route. The handler may be async, or run on the main
    /// actor.
    @discardableResult
    public nonisolated(nonsending) func openUrl(
        _ url: some URLText, parameters: [String: any Sendable] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) async -> RouteResult {
        await call(url.urlText, parameters, from: .outside, fileID, line)
    }

    /// Whether a URL leads to a handler. Calls neither the handler nor the guard nor the observer.
    ///
    /// - Parameters:
    ///   - url: The URL as a string or a Foundation `URL`.
    ///   - callers: `.outside` if the call would come from outside the app.
    /// - Returns: Whether a call would find a handler.
    public func canRoute(_ url: some URLText, from callers: Link.Callers = .inside) -> Bool {
        guard let url = try? AppURL(url.urlText), let link = finder.link(for: url), link.absentModule == nil
        else {
            return false
        }
        return link.callers == .outside || callers == .inside
    }

    private func call(
        _ url: String, _ parameters: [String: any Sendable], from origin: Link.Callers,
        _ fileID: StaticString, _ line: UInt
    ) -> RouteResult {
        do {
            return .success(
                try table.call(
                    LinkCall(url: url, parameters: parameters, from: origin, fileID: fileID, line: line),
                    find: finder.find))
        } catch { return RouteResult(error) }
    }

    private nonisolated(nonsending) func call(
        _ url: String, _ parameters: [String: any Sendable], from origin: Link.Callers,
        _ fileID: StaticString, _ line: UInt
    ) async -> RouteResult {
        do {
            return .success(
                try await table.call(
                    LinkCall(url: url, parameters: parameters, from: origin, fileID: fileID, line: line),
                    find: finder.find))
        } catch { return RouteResult(error) }
    }
}
