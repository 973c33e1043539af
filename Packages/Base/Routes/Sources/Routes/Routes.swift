import ApiCenter
import Links
import Locking

/// Connects modules that call each other by URL: a module registers a handler for a pattern, and callers pass URLs.
///
/// A module lists its routes (`Link.route`) without importing this library, and the app installs them.
/// Alternatively, the module adds its routes itself. Callers take the URL from a constant in the module's Api package.
/// `routeURL(_:parameters:)` is for calls from inside the app. `openUrl(_:parameters:)` is for calls from
/// outside the app, which reach only routes that are written `from: .outside`.
///
/// If several routes match a URL, routes with the URL's scheme take precedence over routes without a scheme. Then the
/// first segment that differs decides, in the order literal, typed parameter, untyped parameter, `*`. The order of
/// registration never matters. Schemes and hosts are compared without case, everything else with it.
///
/// All operations are thread-safe. Handlers and the functions that the app sets are called outside the lock,
/// so they may call, add and remove routes. A call uses the routes that are registered when it begins.
///
/// The first call after a change builds the search tree in O(number of routes). After that, a call costs
/// O(segments of the URL), however many routes there are. Overlapping patterns cost more, because a search may visit
/// every matching node of a level, but no search visits a node twice.
///
/// Source: seed 4.
public final class Routes: Sendable {
    /// The default registry, for an app that does not create its own.
    ///
    /// Tests create their own registries.
    public static let globalRoutes = Routes()

    let table = Locked(RouteTable())

    /// Creates a registry without routes.
    public init() {}

    /// Installs all routes among a module's links, or none of them if one is invalid. Actions are ignored.
    ///
    /// The value that a handler returns becomes a success. Parameters and errors are treated as in `addRoute`.
    ///
    /// - Parameter links: The module's links.
    /// - Throws: ``RouteError`` with `badPattern` or `conflict`.
    public func install(_ links: [Link]) throws(RouteError) {
        var new: [Route] = []
        for link in links {
            guard case .route(let pattern) = link.name else { continue }
            new.append(
                Route(
                    try RoutePattern(pattern), isRemote: link.callers == .outside, site: link.site,
                    answer: .handler(link.handler)))
        }
        try add(new)
    }

    /// Adds a route (seed 4's registration). A route with an async or a main-actor handler is written as a `Link` and
    /// installed.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of the URLs to match, in the grammar of ``RoutePattern``.
    ///   - callers: Whether URLs from outside the app may reach the route.
    ///   - fileID: The caller's file, for error messages.
    ///   - line: The caller's line, for error messages.
    ///   - handler: Handles the calls. If a parameter's name occurs more than once, the path's value takes
    ///     precedence, then the value passed with the call, then the query's value. A fragment is passed as
    ///     `@fragment`. If the handler throws a ``ParameterError``, the call fails with `badParameter`; if it
    ///     returns or throws a ``RouteError``, with that error; otherwise with `handlerFailed`.
    /// - Throws: ``RouteError`` with `badPattern` or `conflict`. A call that throws adds no route.
    /// - Complexity: O(length of the pattern × combinations of its groups).
    public func addRoute(
        _ pattern: String, from callers: Link.Callers = .inside,
        fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @Sendable (Parameters) throws -> RouteResult
    ) throws(RouteError) {
        try install([
            .route(pattern, from: callers, fileID: fileID, line: line) { try handler($0).get() }
        ])
    }

    /// Declares a module's routes, so that calling one reports `absentModule` when the module is left out of
    /// the app.
    ///
    /// A declaration applies only while no route with the same shape exists, regardless of which was added first.
    ///
    /// - Parameters:
    ///   - patterns: The module's patterns, from constants in its Api package.
    ///   - module: The module's name, for the reason `absentModule`.
    ///   - fileID: The caller's file, for error messages.
    ///   - line: The caller's line, for error messages.
    /// - Throws: ``RouteError`` with `badPattern`, or with `conflict` if another declaration has the same
    ///   shape. A call that throws adds no declaration.
    public func declareRoutes(
        _ patterns: [String], module: String, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(RouteError) {
        let site = CallSite(fileID: fileID, line: line)
        try add(
            patterns.map { (text) throws(RouteError) in
                Route(try RoutePattern(text), isRemote: false, site: site, answer: .absent(module: module))
            })
    }

    /// Removes the route with this pattern, however it was added.
    ///
    /// - Parameter pattern: The route's pattern, including its parameter names.
    /// - Returns: Whether such a route existed; false for an invalid pattern.
    @discardableResult
    public func removeRoute(_ pattern: String) -> Bool {
        guard let pattern = try? RoutePattern(pattern) else { return false }
        // The route is released outside the lock, because releasing it may run the app's deinitialisers.
        let removed = table.withLock { $0.remove(pattern) }
        return removed.route != nil
    }

    /// Sets the guard of all calls, which runs after a route is found and before its handler.
    ///
    /// - Parameter check: Returns nil to allow the call, or the reason to deny it, as text for the error. Nil removes
    ///   the current guard.
    public func setGuard(_ check: (@Sendable (RouteRequest) -> String?)?) {
        change { $0.check = check }
    }

    /// Sets the handler for URLs that no route matches.
    ///
    /// - Parameter handler: Gets the call, and the error that the caller would get without the handler. Its result
    ///   becomes the result of the call. Nil removes the current handler.
    public func setNotFound(_ handler: (@Sendable (RouteRequest, RouteError) -> RouteResult)?) {
        change { $0.notFound = handler }
    }

    /// Sets the observer of all calls; nil removes it. A registry without an observer has no overhead for this feature.
    public func setObserver(_ observer: LinkObserver?) {
        change { $0.observer = observer }
    }

    private func change(_ change: (inout RouteTable.Hooks) -> Void) {
        // The old functions are released outside the lock, because releasing them may run the app's deinitialisers.
        let old = table.withLock { table in
            defer { change(&table.hooks) }
            return table.hooks
        }
        _ = consume old
    }

    private func add(_ new: [Route]) throws(RouteError) {
        // The stale trees are released outside the lock, because they may hold the last reference to a removed route.
        let replaced = try table.withLock { (table) throws(RouteError) in try table.add(new) }
        _ = consume replaced
    }
}
