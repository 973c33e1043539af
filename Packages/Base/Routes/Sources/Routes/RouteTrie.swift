import Links

/// An immutable search tree of a registry's routes, with one root per scheme and one level per segment.
///
/// A search visits every node at most once, whatever the URL contains, because only one path leads to a
/// node. From a node, the search follows at most four children, however many the node has: the equal literal,
/// up to two types that accept the text, and the untyped parameter. The search for the message of a failed call also
/// follows the third type, and the literals that differ in case.
final class RouteTrie: Sendable {
    /// A route with one of its shapes.
    struct Leaf: Sendable {
        let route: Route
        let shape: RouteShape

        /// Reads the parameters from the segments of a URL that this leaf matches.
        ///
        /// - Returns: The values by name, or the first parameter whose type does not accept its text.
        func values(in texts: [String]) -> (values: [String: any Sendable], rejected: ParameterError?) {
            var values: [String: any Sendable] = [:]
            values.reserveCapacity(shape.segments.count)
            for (segment, index) in zip(shape.segments, texts.indices) {
                switch segment {
                case .literal: break
                case .parameter(let name, nil): values[name] = texts[index]
                case .parameter(let name, let type?):
                    guard let value = type.value(of: texts[index]) else {
                        let found = "the text \(AppURL.quoted(texts[index]))"
                        return ([:], ParameterError(key: name, expected: type.rawValue, found: found))
                    }
                    values[name] = value
                case .wildcard(let name): values[name] = Array(texts[index...])
                }
            }
            return (values, nil)
        }
    }

    private struct Node {
        var literals = Literals()
        var typed: [(type: ParameterType, node: Int)] = []
        var parameter: Int?
        var wildcard: Int?
        var leaf: Int?
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

        /// The literals that differ from the text in case alone.
        func similar(to text: String) -> [Int] {
            let folded = text.lowercased()
            return (many.isEmpty ? few : many.map { ($0, $1) })
                .filter { $0.text != text && $0.text.lowercased() == folded }.map(\.node)
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

    /// The nodes while they are built: the first is the root of the routes without a scheme.
    private struct Nodes {
        var all = [Node()]
        var schemeRoots: [String: Int] = [:]
        var hasTypes = false
        var hasCase = false

        mutating func add() -> Int {
            all.append(Node())
            return all.count - 1
        }

        mutating func root(of scheme: String?) -> Int {
            guard let scheme else { return 0 }
            let root = schemeRoots[scheme] ?? add()
            schemeRoots[scheme] = root
            return root
        }

        mutating func child(of node: Int, _ literal: String) -> Int {
            if let next = all[node].literals[literal] { return next }
            let next = add()
            all[node].literals.add(literal, next)
            return next
        }

        mutating func child(of node: Int, _ type: ParameterType?) -> Int {
            guard let type else {
                let next = all[node].parameter ?? add()
                all[node].parameter = next
                return next
            }
            hasTypes = true
            if let known = all[node].typed.first(where: { $0.type == type }) { return known.node }
            let next = add()
            all[node].typed.append((type, next))
            all[node].typed.sort { $0.type < $1.type }
            return next
        }
    }

    private let nodes: [Node]
    private let leaves: [Leaf]
    private let schemeRoots: [String: Int]
    /// Whether any pattern has a typed parameter. If none has, no URL can fail because of a type.
    private let hasTypes: Bool
    /// Whether any pattern has a literal with a letter in upper case.
    private let hasCase: Bool

    /// Builds the tree. Roots compare their literals without case, because a URL may have them as its host.
    ///
    /// - Complexity: O(total number of segments).
    init(_ leaves: [Leaf]) {
        var nodes = Nodes()
        for (index, leaf) in leaves.enumerated() {
            var node = nodes.root(of: leaf.shape.scheme)
            var isWildcard = false
            for (depth, segment) in leaf.shape.segments.enumerated() {
                switch segment {
                case .wildcard: isWildcard = true
                case .literal(let text):
                    if !text.isLowerCaseASCII { nodes.hasCase = true }
                    node = nodes.child(of: node, depth == 0 ? text.lowercased() : text)
                case .parameter(_, let type): node = nodes.child(of: node, type)
                }
            }
            if isWildcard { nodes.all[node].wildcard = index } else { nodes.all[node].leaf = index }
        }
        (self.nodes, self.leaves, schemeRoots) = (nodes.all, leaves, nodes.schemeRoots)
        (hasTypes, hasCase) = (nodes.hasTypes, nodes.hasCase)
    }

    /// Finds the route that matches a URL, by the precedence rules of ``Routes``.
    ///
    /// Routes without a scheme are searched only if no route with the URL's scheme matches.
    func match(_ url: AppURL) -> Leaf? {
        search(url.scheme, Search(texts: url.segments, checksFirst: hasCase && !url.hasHost))
    }

    /// Finds the route that would match if typed parameters accepted every text, and case did not matter, for the
    /// message of a failed call.
    ///
    /// - Complexity: O(number of routes) if a route or the URL contains a letter in upper case or outside ASCII.
    func matchLoosely(_ url: AppURL) -> Leaf? {
        let ignoresCase = hasCase || !url.segments.allSatisfy(\.isLowerCaseASCII)
        guard hasTypes || ignoresCase else { return nil }
        return search(url.scheme, Search(texts: url.segments, ignoresTypes: true, ignoresCase: ignoresCase))
    }

    private struct Search {
        let texts: [String]
        /// Whether the case of the first text matters: it is no host, and the tree, which compares first texts without
        /// case, has a literal in upper case.
        var checksFirst = false
        var ignoresTypes = false
        var ignoresCase = false
    }

    private func search(_ scheme: String?, _ search: Search) -> Leaf? {
        var found: Int?
        if let scheme, let root = schemeRoots[scheme] { found = visit(root, 0, search) }
        return (found ?? visit(0, 0, search)).map { leaves[$0] }
    }

    /// Finds the first matching leaf of a subtree. Children are visited in order of precedence.
    private func visit(_ index: Int, _ position: Int, _ search: Search) -> Int? {
        guard position < search.texts.count else { return nodes[index].leaf.flatMap { accept($0, search) } }
        let text = search.texts[position]
        let literal = position == 0 && search.checksFirst ? text.lowercased() : text
        if let next = nodes[index].literals[literal], let leaf = visit(next, position + 1, search) {
            return leaf
        }
        for (type, next) in nodes[index].typed where search.ignoresTypes || type.accepts(text) {
            if let leaf = visit(next, position + 1, search) { return leaf }
        }
        if let next = nodes[index].parameter, let leaf = visit(next, position + 1, search) { return leaf }
        if search.ignoresCase {
            for next in nodes[index].literals.similar(to: text) {
                if let leaf = visit(next, position + 1, search) { return leaf }
            }
        }
        return nodes[index].wildcard.flatMap { accept($0, search) }
    }

    /// The leaf, unless its first literal differs in case from a text that is not a host.
    private func accept(_ leaf: Int, _ search: Search) -> Int? {
        guard search.checksFirst, let first = leaves[leaf].shape.first, first != search.texts[0] else {
            return leaf
        }
        return nil
    }
}

extension String {
    /// Whether no letter of the text can differ in case from a text in lower case.
    fileprivate var isLowerCaseASCII: Bool {
        utf8.allSatisfy { $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}
