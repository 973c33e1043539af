/// What a registry's lock protects.
///
/// Nothing in here calls code of the app.
struct RouteTable: Sendable {
    /// What stands at one shape.
    private struct Entry {
        let shape: RouteShape
        let route: Route
    }

    /// Routes by shape; of one shape at most one of each priority.
    private var routes: [RouteShape.Key: [Int: Entry]] = [:]
    /// Declarations by shape, which answer where no route has the shape.
    private var declarations: [RouteShape.Key: Entry] = [:]
    /// The tree of all of these, once it is asked for.
    private var frozen: RouteTrie?

    var guards: [@Sendable (RouteRequest) -> String?] = []
    var unmatched: (@Sendable (RouteRequest) -> RouteResult)?

    /// Adds routes, all or none, and gives the tree that is no longer true.
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
                        detail: "\"\(earlier.text)\", at \(earlier.site) and at \(route.site)")
                }
                if route.isDeclaration {
                    declarations[key] = Entry(shape: shape, route: route)
                } else {
                    routes[key, default: [:]][route.priority] = Entry(shape: shape, route: route)
                }
                added.append((key, route))
            }
        }
        defer { frozen = nil }
        return frozen
    }

    /// Takes out the route that was added with this pattern and priority.
    mutating func remove(_ pattern: RoutePattern, priority: Int) -> (Route?, RouteTrie?) {
        let found = pattern.shapes.first.flatMap { routes[$0.key]?[priority]?.route }
        guard let found, found.pattern == pattern else { return (nil, nil) }
        for shape in pattern.shapes { _ = remove(found, shape.key) }
        defer { frozen = nil }
        return (found, frozen)
    }

    /// The tree of all routes, built at the first call after a change.
    mutating func trie() -> RouteTrie {
        if let frozen { return frozen }
        let trie = RouteTrie(entries().map { RouteTrie.Leaf(route: $0.route, shape: $0.shape) })
        frozen = trie
        return trie
    }

    /// Every route once, and every declaration that no route answers.
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
