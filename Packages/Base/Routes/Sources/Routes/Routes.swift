import Locking
import URLGrammar

/// Calls between modules by URL: patterns on one side, URLs on the other.
///
/// A module offers its routes as a table of closures over standard types, which the app shell installs, or
/// adds handlers itself; callers know the URL, from a constant in the module's Api package.
/// `routeURL(_:parameters:)` is the call from inside the app. `open(_:parameters:)` is the call from outside: it
/// reaches only routes that are marked remote.
///
/// Which route answers is decided by one total order over those that match: those of the URL's own scheme
/// before those without one; then the highest priority; then, segment by segment, a literal before a typed
/// parameter before a parameter before `*`. The order of registration never matters.
///
/// All operations are thread-safe. Handlers, guards and the unmatched handler are never called under a
/// lock, so each of them may itself route, add or remove. A call uses the routes there are when it begins.
///
/// The first call after a change freezes the routes into a tree, at O(number of routes); after that a
/// call costs O(segments of the URL) and not more for more routes, unless patterns overlap: each one more
/// that a URL could still match at the same depth may cost a visit. No URL costs more than one visit of
/// every node of the tree.
///
/// Source: seed 4.
public final class Routes: Sendable {
    /// What answers a URL.
    public typealias Handler = @Sendable (Parameters) throws -> RouteResult
    /// A handler that takes its time.
    ///
    /// It is reached from `await` calls only.
    public typealias AsyncHandler = @Sendable (Parameters) async throws -> RouteResult

    /// The app's routes.
    ///
    /// Tests and parts of an app may make their own.
    public static let global = Routes()

    /// The most redirects that one call follows.
    public static let maximumRedirects = 8

    /// Whether a URL's host is the first segment, as in `app://moduleA/describe`.
    ///
    /// Otherwise it is ignored.
    public let hostIsFirstSegment: Bool

    let table = Locked(RouteTable())

    /// Makes a registry without routes.
    ///
    /// - Parameter hostIsFirstSegment: Whether hosts count; fixed for the life of the registry.
    public init(hostIsFirstSegment: Bool = true) {
        self.hostIsFirstSegment = hostIsFirstSegment
    }

    /// Adds a route.
    ///
    /// - Parameters:
    ///   - pattern: The URLs it answers, in the grammar of ``RoutePattern``.
    ///   - priority: Of several routes that match, the highest priority answers.
    ///   - remote: Whether calls from outside the app reach it.
    ///   - fileID: Where it is added, for error messages.
    ///   - line: Where it is added, for error messages.
    ///   - handler: Gets the path's parameters, then those passed with the call, then the query's, each
    ///     before the next where names are equal; and the URL's fragment under `@fragment`, if it has one.
    ///     A ``ParameterError`` it throws gives the result `badParameter`, any other error `failed`.
    /// - Throws: ``RouteError`` `badPattern`, `conflict`; nothing is added then.
    /// - Complexity: O(length of the pattern), for each choice of its groups.
    public func addRoute(
        _ pattern: String, priority: Int = 0, remote: Bool = false,
        fileID: StaticString = #fileID, line: UInt = #line, handler: @escaping Handler
    ) throws(RouteError) {
        try add([
            route(pattern, priority, remote, "\(fileID):\(line)", .handler(handler))
        ])
    }

    /// Adds a route whose handler is async.
    ///
    /// - Parameters:
    ///   - pattern: The URLs it answers.
    ///   - priority: Of several routes that match, the highest priority answers.
    ///   - remote: Whether calls from outside the app reach it.
    ///   - fileID: Where it is added, for error messages.
    ///   - line: Where it is added, for error messages.
    ///   - handler: Gets the parameters, as with ``addRoute(_:priority:remote:fileID:line:handler:)``.
    /// - Throws: ``RouteError`` `badPattern`, `conflict`; nothing is added then.
    public func addAsyncRoute(
        _ pattern: String, priority: Int = 0, remote: Bool = false,
        fileID: StaticString = #fileID, line: UInt = #line, handler: @escaping AsyncHandler
    ) throws(RouteError) {
        try add([
            route(pattern, priority, remote, "\(fileID):\(line)", .asyncHandler(handler))
        ])
    }

    /// Adds a route that stands for another: the URL is rewritten and routed again.
    ///
    /// The new URL has the old one's path parameters where the target pattern names them; the others go to
    /// its query, before the old query. It is a call from outside if the old one was, and then both routes
    /// have to be remote.
    ///
    /// - Parameters:
    ///   - pattern: The URLs it answers.
    ///   - target: The pattern of the new URL. Its parameters are parameters of `pattern`.
    ///   - priority: Of several routes that match, the highest priority answers.
    ///   - remote: Whether calls from outside the app reach it.
    ///   - fileID: Where it is added, for error messages.
    ///   - line: Where it is added, for error messages.
    /// - Throws: ``RouteError`` `badPattern`, `conflict`, and `badParameter` for a parameter that the
    ///   target needs and the pattern does not have; nothing is added then.
    public func addRedirect(
        _ pattern: String, to target: String, priority: Int = 0, remote: Bool = false,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(RouteError) {
        let new = try self.pattern(target)
        let route = try route(pattern, priority, remote, "\(fileID):\(line)", .redirect(to: new))
        let always = RoutePattern.names(in: route.pattern.items, nested: false)
        let sometimes = route.pattern.parameterNames
        let needed = RoutePattern.names(in: new.items, nested: false)
        let missing =
            needed.first { !always.contains($0) } ?? new.parameterNames.first { !sometimes.contains($0) }
        if let missing {
            throw RouteError(
                .badParameter, pattern: pattern, key: missing,
                detail: "not in every URL of the pattern, expected by the redirect's target \"\(target)\"")
        }
        try add([route])
    }

    /// Tells the names of routes that a module answers when it is in the app, so that calls can tell an
    /// absent module from a misspelt URL.
    ///
    /// A declaration answers only where no route of the same shape is added, in any order.
    ///
    /// - Parameters:
    ///   - patterns: The module's patterns, as constants of its Api package.
    ///   - module: The module's name, for the result `absentModule`.
    ///   - fileID: Where they are declared, for error messages.
    ///   - line: Where they are declared, for error messages.
    /// - Throws: ``RouteError`` `badPattern`, `conflict` with another declaration; nothing is added then.
    public func declareRoutes(
        _ patterns: [String], module: String, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(RouteError) {
        var new: [Route] = []
        for pattern in patterns {
            new.append(try route(pattern, 0, false, "\(fileID):\(line)", .absent(module: module)))
        }
        try add(new)
    }

    /// Installs what a module offers as tables over standard types: all of it or nothing.
    ///
    /// A closure's value becomes the result `handled`; what it throws is treated as with
    /// ``addRoute(_:priority:remote:fileID:line:handler:)``.
    ///
    /// - Parameters:
    ///   - routes: Pattern to closure.
    ///   - asyncRoutes: The same for async closures.
    ///   - remote: The patterns, written as in the tables, that calls from outside reach.
    ///   - priorities: The priorities of those patterns that have another than 0.
    ///   - fileID: Where they are installed, for error messages.
    ///   - line: Where they are installed, for error messages.
    /// - Throws: ``RouteError`` `badPattern`, `conflict`, `unknownRemotePattern`.
    public func install(
        _ routes: [String: @Sendable ([String: any Sendable]) throws -> (any Sendable)?],
        asyncRoutes: [String: @Sendable ([String: any Sendable]) async throws -> (any Sendable)?] = [:],
        remote: Set<String> = [], priorities: [String: Int] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(RouteError) {
        let site = "\(fileID):\(line)"
        let marked = remote.union(priorities.keys)
        if let unknown = marked.sorted().first(where: { routes[$0] == nil && asyncRoutes[$0] == nil }) {
            throw RouteError(.unknownRemotePattern, pattern: unknown, detail: site)
        }
        var answers: [(pattern: String, answer: Route.Answer)] = []
        for (pattern, closure) in routes {
            answers.append((pattern, .handler { .handled(try closure($0.values)) }))
        }
        for (pattern, closure) in asyncRoutes {
            answers.append((pattern, .asyncHandler { .handled(try await closure($0.values)) }))
        }
        var new: [Route] = []
        for (pattern, answer) in answers.sorted(by: { $0.pattern < $1.pattern }) {
            new.append(try route(pattern, priorities[pattern] ?? 0, remote.contains(pattern), site, answer))
        }
        try add(new)
    }

    /// Removes the route, redirect or table entry with this pattern and priority.
    ///
    /// - Parameters:
    ///   - pattern: The pattern; its parameters' names count.
    ///   - priority: The priority it was added with.
    /// - Returns: Whether there was one. False for a text that is no pattern.
    @discardableResult
    public func removeRoute(_ pattern: String, priority: Int = 0) -> Bool {
        guard let pattern = try? RoutePattern(pattern) else { return false }
        // What is removed leaves the lock alive: its deinitialisers are the app's code.
        let removed = table.withLock { $0.remove(pattern, priority: priority) }
        return removed.0 != nil
    }

    private func route(
        _ text: String, _ priority: Int, _ remote: Bool, _ site: String, _ answer: Route.Answer
    ) throws(RouteError) -> Route {
        Route(
            pattern: try pattern(text), priority: priority, isRemote: remote, site: site, answer: answer)
    }

    /// A pattern that URLs of this registry can have.
    private func pattern(_ text: String) throws(RouteError) -> RoutePattern {
        let pattern = try RoutePattern(text)
        if pattern.hasHost, !hostIsFirstSegment {
            throw RouteError(
                .badPattern, pattern: text, position: pattern.scheme.map { $0.utf8.count + 3 } ?? 2,
                detail:
                    "it has a host. This registry ignores hosts. Write the pattern without \"//\" and host")
        }
        return pattern
    }

    private func add(_ new: [Route]) throws(RouteError) {
        // The tree that is replaced leaves the lock alive, as it may hold the last of a removed route.
        let replaced = try table.withLock { (table) throws(RouteError) in try table.add(new) }
        _ = consume replaced
    }
}
