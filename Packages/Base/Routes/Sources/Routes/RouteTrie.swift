import Links

/// An immutable search tree of a registry's routes, with one root per scheme and one level per segment.
///
/// A search visits every node at most once, whatever the URL contains, because only one path leads to a
/// node. From a node, the search follows at most five children, however many the node has: the equal literal,
/// the types that accept the text (at most three of the four), and the untyped parameter. The search for the message of
/// a failed call also follows the fourth type, and the literals that differ in case.
final class RouteTrie: Sendable {
    /// A route with one of the shapes of its pattern.
    final class Leaf: Sendable {
        let link: Link
        let shape: RouteShape

        init(_ link: Link, _ shape: RouteShape) { (self.link, self.shape) = (link, shape) }

        /// Reads the parameters from the segments of a URL that this leaf matches.
        ///
        /// - Returns: The values by name, or the first parameter whose type does not accept its text.
        func values(in texts: [String]) -> (values: [String: any Sendable], rejected: ParameterError?) {
            var values: [String: any Sendable] = [:]
            values.reserveCapacity(shape.segments.count)
            for index in shape.segments.indices {
                switch shape.segments[index] {
                case .literal: break
                case .parameter(let name, nil): values[name] = texts[index]
                case .parameter(let name, let type?):
                    guard let value = type.value(of: texts[index]) else {
                        let found = "the text \(AppURL.quoted(texts[index]))"
                        return ([:], ParameterError(key: name, expected: type.expected, found: found))
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
            // Elements are read in place, because copying one costs as much as comparing it.
            for index in few.indices where few[index].text == text { return few[index].node }
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

    private let nodes: [Node]
    private let leaves: [Leaf]
    private let schemeRoots: [String: Int]
    /// Whether any pattern has a literal with a letter in upper case.
    private let hasCase: Bool

    /// Builds the tree. Roots compare their literals without case, because a URL may have them as its host.
    ///
    /// - Complexity: O(total number of segments).
    init(_ leaves: [Leaf]) {
        // The first node is the root of the routes without a scheme.
        var (nodes, roots, hasCase) = ([Node()], [String: Int](), false)
        func add() -> Int {
            nodes.append(Node())
            return nodes.count - 1
        }
        for (index, leaf) in leaves.enumerated() {
            var (node, isWildcard) = (0, false)
            if let scheme = leaf.shape.scheme {
                node = roots[scheme] ?? add()
                roots[scheme] = node
            }
            for (depth, segment) in leaf.shape.segments.enumerated() {
                let next: Int
                switch segment {
                case .wildcard:
                    isWildcard = true
                    continue
                case .literal(let written):
                    let folded = written.lowercased()
                    if written != folded { hasCase = true }
                    let text = depth == 0 ? folded : written
                    let known = nodes[node].literals[text]
                    next = known ?? add()
                    if known == nil { nodes[node].literals.add(text, next) }
                case .parameter(_, let type?):
                    let known = nodes[node].typed.first { $0.type == type }?.node
                    next = known ?? add()
                    if known == nil { nodes[node].typed.append((type, next)) }
                    nodes[node].typed.sort { $0.type < $1.type }
                case .parameter(_, nil):
                    next = nodes[node].parameter ?? add()
                    nodes[node].parameter = next
                }
                node = next
            }
            if isWildcard { nodes[node].wildcard = index } else { nodes[node].leaf = index }
        }
        (self.nodes, self.leaves, schemeRoots, self.hasCase) = (nodes, leaves, roots, hasCase)
    }

    /// Finds the route that matches a URL, by the precedence rules of ``Routes``.
    ///
    /// Routes without a scheme are searched only if no route with the URL's scheme matches.
    ///
    /// - Parameter rejects: Set to true if a typed parameter did not accept a text.
    func match(_ url: AppURL, rejects: inout Bool) -> Leaf? {
        search(url.scheme, Search(texts: url.segments, checksFirst: hasCase && !url.hasHost), &rejects)
    }

    /// Finds the route that would match if case did not matter and typed parameters accepted every text, for the message
    /// of a failed call.
    ///
    /// - Parameter rejects: Whether a typed parameter did not accept a text. If not, and no text contains a letter in upper
    ///   case, no such route exists.
    /// - Complexity: O(number of routes) if a route or the URL contains a letter in upper case.
    func matchLoosely(_ url: AppURL, rejects: Bool) -> Leaf? {
        let ignoresCase = hasCase || url.segments.contains { $0 != $0.lowercased() }
        guard rejects || ignoresCase else { return nil }
        var rejects = false
        return search(
            url.scheme, Search(texts: url.segments, ignoresTypes: true, ignoresCase: ignoresCase), &rejects)
    }

    private struct Search {
        let texts: [String]
        /// Whether the case of the first text matters: it is no host, and the tree, which compares first texts without
        /// case, has a literal in upper case.
        var checksFirst = false
        var ignoresTypes = false
        var ignoresCase = false
    }

    private func search(_ scheme: String?, _ search: Search, _ rejects: inout Bool) -> Leaf? {
        var found: Int?
        if let scheme, let root = schemeRoots[scheme] { found = visit(root, 0, search, &rejects) }
        return (found ?? visit(0, 0, search, &rejects)).map { leaves[$0] }
    }

    /// Finds the first matching leaf of a subtree. Children are visited in order of precedence.
    private func visit(_ index: Int, _ position: Int, _ search: Search, _ rejects: inout Bool) -> Int? {
        guard position < search.texts.count else { return nodes[index].leaf.flatMap { accept($0, search) } }
        let text = search.texts[position]
        let literal = position == 0 && search.checksFirst ? text.lowercased() : text
        if let next = nodes[index].literals[literal], let leaf = visit(next, position + 1, search, &rejects) {
            return leaf
        }
        for (type, next) in nodes[index].typed {
            guard search.ignoresTypes || type.accepts(text) else {
                rejects = true
                continue
            }
            if let leaf = visit(next, position + 1, search, &rejects) { return leaf }
        }
        if let next = nodes[index].parameter, let leaf = visit(next, position + 1, search, &rejects) {
            return leaf
        }
        if search.ignoresCase {
            for next in nodes[index].literals.similar(to: text) {
                if let leaf = visit(next, position + 1, search, &rejects) { return leaf }
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

/// The segments of a pattern for one combination of its optional groups.
struct RouteShape: Hashable, Sendable {
    enum Segment: Hashable, Sendable {
        case literal(String)
        case parameter(String, ParameterType?)
        case wildcard(String)
    }

    let scheme: String?
    var segments: [Segment]

    /// The first segment if it is a literal, which may be matched by a host.
    var first: String? { if case .literal(let text) = segments.first { text } else { nil } }

    /// The shape without its parameters' names. Shapes with equal keys match the same URLs.
    ///
    /// The first literal is compared without case, because a URL may have it as its host.
    var key: RouteShape {
        var key = self
        for (index, segment) in segments.enumerated() {
            switch segment {
            case .literal(let text): if index == 0 { key.segments[0] = .literal(text.lowercased()) }
            case .parameter(_, let type): key.segments[index] = .parameter("", type)
            case .wildcard: key.segments[index] = .wildcard("")
            }
        }
        return key
    }
}
