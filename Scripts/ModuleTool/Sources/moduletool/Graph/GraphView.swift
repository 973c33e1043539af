import ModuleRules
import ModuleTree

struct GraphView {
    struct Node: Hashable, Encodable {
        /// The package's name, or its path when several packages have the same name.
        let name: String
        let path: String
        /// The layer's name, or "Other".
        let layer: String
        let role: String
        /// The name that an Api and its IMP share.
        let pair: String?
    }

    struct Edge: Hashable {
        let from: Int
        let to: Int
        /// Whether the dependency is part of a cycle or breaks a rule.
        let isWrong: Bool
    }

    private(set) var nodes: [Node]
    private(set) var edges: [Edge]

    /// The violations of the rules about pairs and layers, which make dependencies wrong.
    let findings: [Finding]

    init(_ context: RuleContext) throws {
        let graph = context.graph
        findings = try RuleBook.findings(of: try RuleBook.rules(named: ["pairs", "layers"]), in: context)
        let wrong = Set(findings.map(\.place))
        let halves = graph.tree.packages.filter { $0.role == .api || $0.role == .imp }
        let pairs = Dictionary(grouping: halves, by: \.pairName).filter { $0.value.count > 1 }
        let names = graph.tree.packages.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
        nodes = graph.tree.packages.map { package in
            let isAlone = names[package.name] == 1 || package.path.isEmpty
            let isHalf = package.role == .api || package.role == .imp
            return Node(
                name: isAlone ? package.name : package.path, path: package.path,
                layer: package.layer?.name ?? Self.other, role: package.role.rawValue,
                pair: isHalf && pairs[package.pairName] != nil ? package.pairName : nil)
        }
        let cyclic = Set(graph.shortestCycles().joined().map { [$0.from, $0.to] })
        edges = graph.edges.filter { !$0.isTest }.map { edge in
            Edge(
                from: edge.from, to: edge.to,
                isWrong: cyclic.contains([edge.from, edge.to])
                    || (edge.declarations + edge.imports).contains(where: wrong.contains))
        }
        layerNames = [Self.other] + graph.tree.names.layers.reversed().map(\.name)
        dropOutsiders()
    }

    /// The name in place of a layer, for packages outside the layers.
    private static let other = "Other"
    /// The names of all layers, top first.
    private let layerNames: [String]

    /// For each edge, whether other edges imply it: its caller also reaches its callee through another dependency.
    /// Edges that are part of a cycle are never implied. Without the implied edges, the graph is its transitive
    /// reduction.
    ///
    /// - Complexity: O(*nodes* x *edges*).
    func impliedEdges() -> [Bool] {
        var next = nodes.map { _ in [Int]() }
        for edge in edges { next[edge.from].append(edge.to) }
        let reached = nodes.indices.map { start in
            var found: Set<Int> = []
            var stack = next[start]
            while let node = stack.popLast() {
                if found.insert(node).inserted { stack += next[node] }
            }
            return found
        }
        return edges.map { edge in
            !reached[edge.to].contains(edge.from)
                && next[edge.from].contains {
                    reached[$0].contains(edge.to) && !reached[edge.to].contains($0)
                }
        }
    }

    /// Keeps only a package, or both halves of a pair, with its direct callers and dependencies.
    mutating func focus(on name: String) throws {
        let chosen = Set(nodes.indices.filter { nodes[$0].name == name || nodes[$0].pair == name })
        guard !chosen.isEmpty else {
            throw ToolError(
                .configuration, at: name, "is not a package of this tree",
                why: "an empty diagram would look like a package without neighbours",
                fix: Spelling.suggestion(for: name, among: nodes.map(\.name)).map { "name \($0)" }
                    ?? "name one of: \(nodes.map(\.name).sorted().joined(separator: ", "))")
        }
        keep(
            chosen.union(
                edges.flatMap { edge in
                    chosen.contains(edge.from) || chosen.contains(edge.to) ? [edge.from, edge.to] : []
                }))
        edges.removeAll { edge in
            let ends = [nodes[edge.from], nodes[edge.to]]
            return !ends.contains { $0.name == name || $0.pair == name }
        }
    }

    /// In a tree with layers, removes the packages outside the layers, such as tools.
    private mutating func dropOutsiders() {
        guard nodes.contains(where: { $0.layer != Self.other && $0.role != "app" }) else { return }
        keep(Set(nodes.indices.filter { nodes[$0].layer != Self.other }))
    }

    private mutating func keep(_ chosen: Set<Int>) {
        let order = nodes.indices.filter(chosen.contains)
        let new = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        nodes = order.map { nodes[$0] }
        edges = edges.compactMap { edge in
            guard let from = new[edge.from], let to = new[edge.to] else { return nil }
            return Edge(from: from, to: to, isWrong: edge.isWrong)
        }
    }

    /// The layers that have packages, top first, each with the indices of its nodes.
    var layers: [(name: String, nodes: [Int])] {
        layerNames.compactMap { name in
            let members = nodes.indices.filter { nodes[$0].layer == name }
            return members.isEmpty ? nil : (name, members)
        }
    }
}
