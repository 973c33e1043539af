/// An immutable search tree of a registry's routes, with one root per scheme and one level per segment.
///
/// A search visits every node at most once, whatever the URL contains, because only one path leads to a
/// node. From a node, the search follows at most four children, however many the node has: the equal literal,
/// up to two types that accept the text, and the untyped parameter. If types are ignored, a third type is a fifth
/// child. A search does not allocate memory.
final class RouteTrie: Sendable {
    /// A route with one of its shapes.
    struct Leaf: Sendable {
        let route: Route
        let shape: RouteShape
    }

    private struct Node {
        var literals = Literals()
        var typed: [(type: ParameterType, node: Int)] = []
        var parameter: Int?
        var wildcard: Int?
        var leaf: Int?
        /// The highest priority at or below this node.
        var highest = Int.min
    }

    /// The literal children of a node.
    ///
    /// Most nodes have one or two literal children, for which comparing is faster than hashing.
    private struct Literals {
        private var few: [(text: String, node: Int)] = []
        private var many: [String: Int] = [:]

        subscript(text: String) -> Int? {
            if !many.isEmpty { return many[text] }
            for literal in few where literal.text == text { return literal.node }
            return nil
        }

        mutating func add(_ text: String, _ node: Int) {
            if many.isEmpty, few.count < 4 {
                few.append((text, node))
            } else {
                for literal in few { many[literal.text] = literal.node }
                few = []
                many[text] = node
            }
        }
    }

    private let nodes: [Node]
    private let leaves: [Leaf]
    private let schemeRoots: [String: Int]
    /// Whether any pattern has a typed parameter. If none has, no URL can fail because of a type.
    private let hasTypes: Bool

    /// Builds the tree.
    ///
    /// Among leaves with the same shape, the leaf with the highest priority wins.
    ///
    /// - Complexity: O(total number of segments).
    init(_ leaves: [Leaf]) {
        var nodes = [Node()]
        var roots: [String: Int] = [:]
        var hasTypes = false
        for (index, leaf) in leaves.enumerated() {
            var node = 0
            if let scheme = leaf.shape.scheme {
                node = roots[scheme] ?? Self.add(&nodes)
                roots[scheme] = node
            }
            let priority = leaf.route.priority
            nodes[node].highest = max(nodes[node].highest, priority)
            var isWildcard = false
            for segment in leaf.shape.segments {
                switch segment {
                case .wildcard: isWildcard = true
                case .literal(let text):
                    if let next = nodes[node].literals[text] {
                        node = next
                    } else {
                        let next = Self.add(&nodes)
                        nodes[node].literals.add(text, next)
                        node = next
                    }
                case .parameter(_, nil):
                    let next = nodes[node].parameter ?? Self.add(&nodes)
                    nodes[node].parameter = next
                    node = next
                case .parameter(_, let type?):
                    hasTypes = true
                    let known = nodes[node].typed.first { $0.type == type }?.node
                    let next = known ?? Self.add(&nodes)
                    if known == nil {
                        nodes[node].typed.append((type, next))
                        nodes[node].typed.sort { $0.type < $1.type }
                    }
                    node = next
                }
                nodes[node].highest = max(nodes[node].highest, priority)
            }
            let earlier = isWildcard ? nodes[node].wildcard : nodes[node].leaf
            if let earlier, leaves[earlier].route.priority >= priority { continue }
            if isWildcard { nodes[node].wildcard = index } else { nodes[node].leaf = index }
        }
        self.nodes = nodes
        self.leaves = leaves
        self.schemeRoots = roots
        self.hasTypes = hasTypes
    }

    private static func add(_ nodes: inout [Node]) -> Int {
        nodes.append(Node())
        return nodes.count - 1
    }

    /// Finds the route that matches a URL, by the precedence rules of ``Routes``.
    ///
    /// Routes without a scheme are searched only if no route with the URL's scheme matches.
    func match(scheme: String?, _ texts: ArraySlice<String>) -> Leaf? {
        search(scheme, texts, ignoringTypes: false)
    }

    /// Finds the route that would match if typed parameters accepted every text, for an error message.
    func almostMatch(scheme: String?, _ texts: ArraySlice<String>) -> Leaf? {
        hasTypes ? search(scheme, texts, ignoringTypes: true) : nil
    }

    private func search(_ scheme: String?, _ texts: ArraySlice<String>, ignoringTypes: Bool) -> Leaf? {
        var best: Int?
        if let scheme, let root = schemeRoots[scheme] {
            visit(root, texts, texts.startIndex, ignoringTypes, &best)
        }
        if best == nil { visit(0, texts, texts.startIndex, ignoringTypes, &best) }
        return best.map { leaves[$0] }
    }

    /// Searches a subtree for the best leaf.
    ///
    /// Children are visited in order of precedence, so the first of several leaves with equal priority wins.
    /// A subtree is skipped if it has no leaf with a higher priority than the best leaf so far.
    private func visit(
        _ index: Int, _ texts: ArraySlice<String>, _ position: Int, _ ignoringTypes: Bool, _ best: inout Int?
    ) {
        if let best, nodes[index].highest <= leaves[best].route.priority { return }
        guard position < texts.endIndex else {
            if let leaf = nodes[index].leaf { offer(leaf, &best) }
            return
        }
        let text = texts[position]
        if let next = nodes[index].literals[text] {
            visit(next, texts, position + 1, ignoringTypes, &best)
        }
        for (type, next) in nodes[index].typed where ignoringTypes || type.accepts(text) {
            visit(next, texts, position + 1, ignoringTypes, &best)
        }
        if let next = nodes[index].parameter { visit(next, texts, position + 1, ignoringTypes, &best) }
        if let leaf = nodes[index].wildcard { offer(leaf, &best) }
    }

    private func offer(_ leaf: Int, _ best: inout Int?) {
        if let earlier = best, leaves[earlier].route.priority >= leaves[leaf].route.priority { return }
        best = leaf
    }
}
