import Locking
import Offers
import URLGrammar

/// Connects modules that call each other by URL: a module registers a handler for a pattern, and callers pass URLs.
///
/// A module offers its routes (`Offer.route`) without importing this library, and the app installs them.
/// Alternatively, the module adds its routes itself. Callers take the URL from a constant in the module's Api package.
/// `routeURL(_:parameters:)` is for calls from inside the app. `openUrl(_:parameters:)` is for calls from
/// outside the app, which reach only routes that are offered `from: .outside`.
///
/// If several routes match a URL, routes with the URL's scheme take precedence over routes without a scheme, and
/// then the highest priority wins. Ties are broken segment by segment, in the order literal, typed parameter,
/// untyped parameter, `*`. The order of registration never matters.
///
/// All operations are thread-safe. Handlers, guards and the unmatched handler are called outside the lock,
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
    public static let global = Routes()

    /// The maximum number of redirects that one call follows.
    public static let maximumRedirects = 8

    let table = Locked(RouteTable())

    /// Creates a registry without routes.
    public init() {}

    /// Installs all routes among a module's offers, or none of them if one is invalid. Offers of actions are ignored.
    ///
    /// The value that a handler returns becomes the result `handled`. Parameters and errors are treated as in
    /// `addRoute`.
    ///
    /// - Parameter offers: The module's offers.
    /// - Throws: ``RouteError`` with `badPattern` or `conflict`.
    public func install(_ offers: [Offer]) throws(RouteError) {
        var new: [Route] = []
        for offer in offers {
            guard case .route(let pattern) = offer.name else { continue }
            let handler = offer.handler.map(
                input: { (parameters: Parameters) in Offer.Call(parameters.values) },
                output: { RouteResult.handled($0) })
            new.append(
                try route(pattern, offer.priority, offer.callers, offer.site, .handler(handler)))
        }
        try add(new)
    }

    /// Adds a route.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of the URLs to match, in the grammar of ``RoutePattern``.
    ///   - priority: The priority; if several routes match, the route with the highest priority is called.
    ///   - callers: Whether URLs from outside the app may reach the route.
    ///   - fileID: The caller's file, for error messages.
    ///   - line: The caller's line, for error messages.
    ///   - handler: Handles the calls. If a parameter's name occurs more than once, the path's value takes
    ///     precedence, then the value passed with the call, then the query's value. A fragment is passed as
    ///     `@fragment`. If the handler throws a ``ParameterError``, the result is `badParameter`; for any
    ///     other error, the result is `failed`.
    /// - Throws: ``RouteError`` with `badPattern` or `conflict`. A call that throws adds no route.
    /// - Complexity: O(length of the pattern × combinations of its groups).
    public func addRoute(
        _ pattern: String, priority: Int = 0, from callers: Offer.Callers = .inside,
        fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @Sendable (Parameters) throws -> RouteResult
    ) throws(RouteError) {
        try add([route(pattern, priority, callers, "\(fileID):\(line)", .handler(.sync(handler)))])
    }

    /// Adds a route with an async handler, which callers must call with `await`.
    public func addRoute(
        _ pattern: String, priority: Int = 0, from callers: Offer.Callers = .inside,
        fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @Sendable (Parameters) async throws -> RouteResult
    ) throws(RouteError) {
        try add([route(pattern, priority, callers, "\(fileID):\(line)", .handler(.async(handler)))])
    }

    /// Adds a route whose handler runs on the main actor. Callers on the main actor get the result immediately; other
    /// callers need `await`.
    public func addRoute(
        _ pattern: String, priority: Int = 0, from callers: Offer.Callers = .inside, on _: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @MainActor @Sendable (Parameters) throws -> RouteResult
    ) throws(RouteError) {
        try add([route(pattern, priority, callers, "\(fileID):\(line)", .handler(.onMain(handler)))])
    }

    /// Adds a redirect: a matching URL is rewritten and routed again.
    ///
    /// Path parameters that occur in the target pattern go into the new path. The other path parameters go into the
    /// new query, before the items of the old query. A call from outside the app must be allowed to reach both
    /// routes.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of the URLs to match.
    ///   - target: The pattern of the new URL. Its parameters must also be parameters of `pattern`.
    ///   - priority: The priority; if several routes match, the route with the highest priority is called.
    ///   - callers: Whether URLs from outside the app may reach the route.
    ///   - fileID: The caller's file, for error messages.
    ///   - line: The caller's line, for error messages.
    /// - Throws: ``RouteError`` with `badPattern` or `conflict`, or with `badParameter` if the pattern lacks a
    ///   parameter that the target needs. A call that throws adds no redirect.
    public func addRedirect(
        _ pattern: String, to target: String, priority: Int = 0, from callers: Offer.Callers = .inside,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(RouteError) {
        let new = try RoutePattern(target)
        let route = try route(pattern, priority, callers, "\(fileID):\(line)", .redirect(to: new))
        let required = RoutePattern.names(in: route.pattern.items, nested: false)
        let requiredAndOptional = route.pattern.parameterNames
        let needed = RoutePattern.names(in: new.items, nested: false)
        let missing =
            needed.first { !required.contains($0) }
            ?? new.parameterNames.first { !requiredAndOptional.contains($0) }
        if let missing {
            throw RouteError(
                .badParameter, pattern: pattern, key: missing,
                detail: "is not in every URL of this pattern. The redirect's target \"\(target)\" uses it. "
                    + "Make it a required parameter of the pattern, or remove it from the target")
        }
        try add([route])
    }

    /// Declares a module's routes, so that calling one reports `absentModule` when the module is left out of
    /// the app.
    ///
    /// A declaration applies only while no route with the same shape exists, regardless of which was added first.
    ///
    /// - Parameters:
    ///   - patterns: The module's patterns, from constants in its Api package.
    ///   - module: The module's name, for the result `absentModule`.
    ///   - fileID: The caller's file, for error messages.
    ///   - line: The caller's line, for error messages.
    /// - Throws: ``RouteError`` with `badPattern`, or with `conflict` if another declaration has the same
    ///   shape. A call that throws adds no declaration.
    public func declareRoutes(
        _ patterns: [String], module: String, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(RouteError) {
        var new: [Route] = []
        for pattern in patterns {
            new.append(try route(pattern, 0, .inside, "\(fileID):\(line)", .absent(module: module)))
        }
        try add(new)
    }

    /// Removes the route or redirect with this pattern and priority, however it was added.
    ///
    /// - Parameters:
    ///   - pattern: The route's pattern, including its parameter names.
    ///   - priority: The route's priority.
    /// - Returns: Whether such a route existed; false for an invalid pattern.
    @discardableResult
    public func removeRoute(_ pattern: String, priority: Int = 0) -> Bool {
        guard let pattern = try? RoutePattern(pattern) else { return false }
        // The route is released outside the lock, because releasing it may run the app's deinitialisers.
        let removed = table.withLock { $0.remove(pattern, priority: priority) }
        return removed.0 != nil
    }

    private func route(
        _ text: String, _ priority: Int, _ callers: Offer.Callers, _ site: String, _ answer: Route.Answer
    ) throws(RouteError) -> Route {
        Route(
            pattern: try RoutePattern(text), priority: priority, isRemote: callers == .outside, site: site,
            answer: answer)
    }

    private func add(_ new: [Route]) throws(RouteError) {
        // The stale tree is released outside the lock, because it may hold the last reference to a removed route.
        let replaced = try table.withLock { (table) throws(RouteError) in try table.add(new) }
        _ = consume replaced
    }
}
