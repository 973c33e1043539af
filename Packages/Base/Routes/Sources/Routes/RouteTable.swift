import Links

/// The state that a registry's lock protects.
///
/// No method calls the app's code.
struct RouteTable: Sendable {
    /// The app's functions, each at most once.
    struct Hooks: Sendable {
        var check: (@Sendable (RouteRequest) -> String?)?
        var notFound: (@Sendable (RouteRequest, RouteError) -> RouteResult)?
        var observer: LinkObserver?
    }

    private typealias Leaves = [RouteShape: RouteTrie.Leaf]

    var hooks = Hooks()
    /// The routes by the keys of their shapes.
    private var routes: Leaves = [:]
    /// A declaration applies only while no route has the same shape.
    private var declarations: Leaves = [:]
    /// The search tree; nil after a change, until the next call builds it.
    private var cachedTrie: RouteTrie?

    /// The search tree of all routes, built by the first call after a change.
    mutating func trie() -> RouteTrie {
        if let cachedTrie { return cachedTrie }
        let trie = RouteTrie(leaves())
        cachedTrie = trie
        return trie
    }

    /// Adds all routes, or none if one conflicts.
    ///
    /// - Returns: The stale search tree, for the caller to release outside the lock.
    mutating func add(_ new: [Route]) throws(RouteError) -> RouteTrie? {
        var added: (routes: Leaves, declarations: Leaves) = ([:], [:])
        for route in new {
            for shape in route.pattern.shapes {
                let (key, leaf) = (shape.key, RouteTrie.Leaf(route: route, shape: shape))
                let earlier =
                    route.isAbsent
                    ? declarations[key] ?? added.declarations.updateValue(leaf, forKey: key)
                    : routes[key] ?? added.routes.updateValue(leaf, forKey: key)
                guard let earlier = earlier?.route else { continue }
                throw RouteError(
                    .conflict(
                        "\(AppURL.quoted(earlier.text)) at \(earlier.site) (this route is at \(route.site))"),
                    pattern: route.text)
            }
        }
        routes.merge(added.routes) { $1 }
        declarations.merge(added.declarations) { $1 }
        return forgetTrie()
    }

    /// Removes the route with this pattern.
    ///
    /// - Returns: The route and the stale search tree, for the caller to release outside the lock.
    mutating func remove(_ pattern: RoutePattern) -> (route: Route?, trie: RouteTrie?) {
        let found = pattern.shapes.first.flatMap { routes[$0.key]?.route }
        guard let found, found.pattern.shapes == pattern.shapes else { return (nil, nil) }
        for shape in pattern.shapes { routes[shape.key] = nil }
        return (found, forgetTrie())
    }

    /// All routes, and the declarations for which no route is registered.
    func all() -> [Route] {
        let routes = leaves().map { (ObjectIdentifier($0.route), $0.route) }
        return Array(Dictionary(routes) { $1 }.values)
    }

    private func leaves() -> [RouteTrie.Leaf] {
        Array(declarations.merging(routes) { $1 }.values)
    }

    private mutating func forgetTrie() -> RouteTrie? {
        defer { cachedTrie = nil }
        return cachedTrie
    }
}
