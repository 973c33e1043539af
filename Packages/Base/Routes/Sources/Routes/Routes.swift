import Links

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

    /// The table with the links. Its guard, not-found handler and observers hear of every call.
    public let table: LinkTable
    let finder: PatternFinder

    /// Creates a registry of the routes in a table.
    ///
    /// - Parameter table: The table that the app's mediator uses too. By default, the registry has a table of its own.
    public init(on table: LinkTable = LinkTable()) {
        (self.table, finder) = (table, table.finder { PatternFinder() })
    }

    /// Installs all routes among a module's links, or none of them if one is invalid. Actions are ignored;
    /// `LinkTable.install(_:)` installs both.
    ///
    /// The value that a handler returns becomes a success. Parameters and errors are treated as in `addRoute`.
    ///
    /// - Parameter links: The module's links.
    /// - Throws: ``RouteError`` with `badPattern` or `conflict`.
    public func install(_ links: [Link]) throws(RouteError) {
        try finder.add(links.filter { $0.name.kind == .route })
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
        try finder.add([.route(pattern, from: callers, fileID: fileID, line: line) { try handler($0).get() }])
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
        try finder.add(patterns.map { .route($0, ofAbsent: module, fileID: fileID, line: line) })
    }

    /// Removes the route with this pattern, however it was added.
    ///
    /// - Parameter pattern: The route's pattern, including its parameter names.
    /// - Returns: Whether such a route existed; false for an invalid pattern.
    @discardableResult
    public func removeRoute(_ pattern: String) -> Bool {
        (try? RoutePattern(pattern)).map(finder.remove) ?? false
    }

    /// Sets the guard of the table, which hears of the calls of routes and of actions, from inside and outside the app.
    /// See `LinkTable.setGuard(_:)`.
    public func setGuard(_ check: (@Sendable (LinkCall) -> String?)?) { table.setGuard(check) }

    /// Sets the table's handler for URLs that no route matches, and for actions that are not found.
    ///
    /// - Parameter handler: Gets the call, and the error that the caller would get without the handler. Its result
    ///   becomes the result of the call. Nil removes the current handler.
    public func setNotFound(_ handler: (@Sendable (LinkCall, RouteError) -> RouteResult)?) {
        guard let handler else { return table.setNotFound(nil) }
        table.setNotFound { try handler($0, $1).get() }
    }

    /// All routes, including the declared routes of absent modules, sorted by pattern.
    ///
    /// - Complexity: O(n log n).
    public func allRoutes() -> [LinkListing] {
        finder.all().map(LinkListing.init).sorted { $0.name.description < $1.name.description }
    }
}
