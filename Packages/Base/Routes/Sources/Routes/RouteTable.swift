/// The state that a registry's lock protects.
///
/// No method calls the app's code.
struct RouteTable: Sendable {
    private struct Entry {
        let shape: RouteShape
        let route: Route
    }

    /// Routes by shape and then by priority.
    private var routes: [RouteShape.Key: [Int: Entry]] = [:]
    /// Declarations by shape. A declaration applies only while no route has the same shape.
    private var declarations: [RouteShape.Key: Entry] = [:]
    /// The search tree; nil after a change, until the next call builds it.
    private var cachedTrie: RouteTrie?

    var guards: [@Sendable (RouteRequest) -> String?] = []
    var unmatched: (@Sendable (RouteRequest) -> RouteResult)?

    /// Adds all routes, or none if one conflicts.
    ///
    /// - Returns: The stale search tree, for the caller to release outside the lock.
    mutating func add(_ new: [Route]) throws(RouteError) -> RouteTrie? {
        var added: [(key: RouteShape.Key, route: Route)] = []
        for route in new {
            for shape in route.pattern.shapes {
                let key = shape.key
                let earlier = (route.isDeclaration ? declarations[key] : routes[key]?[route.priority])
                if let earlier = earlier?.route {
                    for (key, route) in added { _ = remove(route, key) }
                    throw RouteError(
                        .conflict, pattern: route.text,
                        detail: "\"\(earlier.text)\" at \(earlier.site) (this route is at \(route.site))")
                }
                if route.isDeclaration {
                    declarations[key] = Entry(shape: shape, route: route)
                } else {
                    routes[key, default: [:]][route.priority] = Entry(shape: shape, route: route)
                }
                added.append((key, route))
            }
        }
        defer { cachedTrie = nil }
        return cachedTrie
    }

    /// Removes the route with this pattern and priority.
    ///
    /// - Returns: The route and the stale search tree, for the caller to release outside the lock.
    mutating func remove(_ pattern: RoutePattern, priority: Int) -> (Route?, RouteTrie?) {
        let found = pattern.shapes.first.flatMap { routes[$0.key]?[priority]?.route }
        guard let found, found.pattern == pattern else { return (nil, nil) }
        for shape in pattern.shapes { _ = remove(found, shape.key) }
        defer { cachedTrie = nil }
        return (found, cachedTrie)
    }

    /// The search tree of all routes, built by the first call after a change.
    mutating func trie() -> RouteTrie {
        if let cachedTrie { return cachedTrie }
        let trie = RouteTrie(entries().map { RouteTrie.Leaf(route: $0.route, shape: $0.shape) })
        cachedTrie = trie
        return trie
    }

    /// All routes, and the declarations for which no route is registered.
    func all() -> [Route] {
        var seen: Set<ObjectIdentifier> = []
        return entries().map(\.route).filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    private func entries() -> [Entry] {
        routes.values.flatMap(\.values) + declarations.filter { routes[$0.key] == nil }.values
    }

    private mutating func remove(_ route: Route, _ key: RouteShape.Key) -> Route? {
        if route.isDeclaration { return declarations.removeValue(forKey: key)?.route }
        let removed = routes[key]?.removeValue(forKey: route.priority)
        if routes[key]?.isEmpty ?? false { routes[key] = nil }
        return removed?.route
    }
}
