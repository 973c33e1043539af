import Links
import Locking

/// Finds routes by the patterns of URLs.
final class PatternFinder: LinkFinder {
    private typealias Leaves = [RouteShape: RouteTrie.Leaf]

    private struct State: Sendable {
        /// The routes by the keys of their shapes.
        var routes: Leaves = [:]
        /// A declaration of an absent module's route applies only while no route has the same shape.
        var declarations: Leaves = [:]
        /// The search tree; nil after a change, until the next call builds it.
        var cachedTrie: RouteTrie?

        mutating func trie() -> RouteTrie {
            if let cachedTrie { return cachedTrie }
            let trie = RouteTrie(leaves())
            cachedTrie = trie
            return trie
        }

        func leaves() -> [RouteTrie.Leaf] { Array(declarations.merging(routes) { $1 }.values) }

        /// Returns the stale search tree, for the caller to release outside the lock: it may hold the last reference to a
        /// removed route.
        mutating func forgetTrie() -> RouteTrie? {
            defer { cachedTrie = nil }
            return cachedTrie
        }
    }

    let kind = Link.Kind.route
    private let state = Locked(State())

    func find(_ call: LinkCall) throws(LinkError) -> FoundLink {
        guard let url = call.url else { throw LinkError(.noMatch) }
        let trie = state.withLock { $0.trie() }
        var rejects = false
        if let leaf = trie.match(url, rejects: &rejects) {
            return FoundLink(leaf.link, values: leaf.values(in: url.segments).values)
        }
        let similar = trie.matchLoosely(url, rejects: rejects)
        if let similar, let rejected = similar.values(in: url.segments).rejected {
            throw LinkError(.badParameter(rejected), name: similar.link.name, url: call.requested)
        }
        throw LinkError(.noMatch, url: call.requested, similar: similar?.link.name.description)
    }

    /// The route that matches a URL.
    func link(for url: AppURL) -> Link? {
        var rejects = false
        return state.withLock { $0.trie() }.match(url, rejects: &rejects)?.link
    }

    func add(_ links: [Link], with others: () throws(LinkError) -> Void = {}) throws(LinkError) {
        var leaves: [RouteTrie.Leaf] = []
        for link in links {
            leaves += try RoutePattern(link.name.description).shapes.map { RouteTrie.Leaf(link, $0) }
        }
        let stale = try state.withLock { (state) throws(LinkError) in
            var added: (routes: Leaves, declarations: Leaves) = ([:], [:])
            for leaf in leaves {
                let (key, link) = (leaf.shape.key, leaf.link)
                let earlier =
                    link.absentModule == nil
                    ? state.routes[key] ?? added.routes.updateValue(leaf, forKey: key)
                    : state.declarations[key] ?? added.declarations.updateValue(leaf, forKey: key)
                guard let earlier = earlier?.link else { continue }
                throw LinkError(
                    .conflict(
                        "\(AppURL.quoted("\(earlier.name)")) at \(earlier.site) (this route is at \(link.site))"
                    ),
                    name: link.name)
            }
            try others()
            state.routes.merge(added.routes) { $1 }
            if !added.declarations.isEmpty { state.declarations.merge(added.declarations) { $1 } }
            return state.forgetTrie()
        }
        _ = consume stale
    }

    /// Removes the route with this pattern.
    func remove(_ pattern: RoutePattern) -> Bool {
        // The route and the stale tree are released outside the lock, because releasing them may run the app's
        // deinitialisers.
        let removed = state.withLock { state -> (link: Link, trie: RouteTrie?)? in
            guard let link = pattern.shapes.first.flatMap({ state.routes[$0.key]?.link }),
                (try? RoutePattern(link.name.description))?.shapes == pattern.shapes
            else { return nil }
            for shape in pattern.shapes { state.routes[shape.key] = nil }
            return (link, state.forgetTrie())
        }
        return removed != nil
    }

    /// All routes, and the declarations for which no route is installed.
    func all() -> [Link] {
        let links = state.withLock { $0.leaves() }.map { (ObjectIdentifier($0.link), $0.link) }
        return Array(Dictionary(links) { $1 }.values)
    }
}
