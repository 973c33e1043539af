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

    var hooks = Hooks()
    private var routes: [RouteShape.Key: RouteTrie.Leaf] = [:]
    /// A declaration applies only while no route has the same shape.
    private var declarations: [RouteShape.Key: RouteTrie.Leaf] = [:]
    /// The search tree; nil after a change, until the next call builds it.
    private var cachedTrie: RouteTrie?
    /// The search tree whose literals are in lower case; nil until a URL with another case matches nothing.
    private var cachedFoldedTrie: RouteTrie?

    /// The search tree of all routes, built by the first call after a change.
    mutating func trie() -> RouteTrie {
        if let cachedTrie { return cachedTrie }
        let trie = RouteTrie(leaves(), foldsCase: false)
        cachedTrie = trie
        return trie
    }

    /// The search tree of all routes in lower case, for the error of a URL that differs in case alone.
    mutating func foldedTrie() -> RouteTrie {
        if let cachedFoldedTrie { return cachedFoldedTrie }
        let trie = RouteTrie(leaves(), foldsCase: true)
        cachedFoldedTrie = trie
        return trie
    }

    /// Adds all routes, or none if one conflicts.
    ///
    /// - Returns: The stale search trees, for the caller to release outside the lock.
    mutating func add(_ new: [Route]) throws(RouteError) -> [RouteTrie] {
        let (oldRoutes, oldDeclarations) = (routes, declarations)
        for route in new {
            for shape in route.pattern.shapes {
                let leaf = RouteTrie.Leaf(route: route, shape: shape)
                let earlier =
                    if case .absent = route.answer { declarations.updateValue(leaf, forKey: shape.key) } else
                    {
                        routes.updateValue(leaf, forKey: shape.key)
                    }
                if let earlier = earlier?.route {
                    (routes, declarations) = (oldRoutes, oldDeclarations)
                    throw RouteError(
                        .conflict(
                            "\(AppURL.quoted(earlier.text)) at \(earlier.site) (this route is at \(route.site))"
                        ),
                        pattern: route.text)
                }
            }
        }
        return forgetTries()
    }

    /// Removes the route with this pattern.
    ///
    /// - Returns: The route and the stale search trees, for the caller to release outside the lock.
    mutating func remove(_ pattern: RoutePattern) -> (Route?, [RouteTrie]) {
        let found = pattern.shapes.first.flatMap { routes[$0.key]?.route }
        guard let found, found.pattern == pattern else { return (nil, []) }
        for shape in pattern.shapes { routes[shape.key] = nil }
        return (found, forgetTries())
    }

    /// All routes, and the declarations for which no route is registered.
    func all() -> [Route] {
        var seen: Set<ObjectIdentifier> = []
        return leaves().map(\.route).filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    private func leaves() -> [RouteTrie.Leaf] {
        Array(routes.values) + declarations.filter { routes[$0.key] == nil }.values
    }

    private mutating func forgetTries() -> [RouteTrie] {
        defer { (cachedTrie, cachedFoldedTrie) = (nil, nil) }
        return [cachedTrie, cachedFoldedTrie].compactMap(\.self)
    }
}
