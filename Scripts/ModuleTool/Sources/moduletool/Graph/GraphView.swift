import ModuleRules
import ModuleTree

/// The packages to draw, in layers, and the dependencies between them.
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
        let isTest: Bool
        /// Whether the dependency is part of a cycle or breaks a rule.
        let isWrong: Bool
    }

    private(set) var nodes: [Node]
    private(set) var edges: [Edge]

    /// - Parameter wrong: The places of findings. Edges declared or imported at these places are wrong.
    init(_ graph: PackageGraph, wrong: Set<SourcePlace> = [], withTests: Bool = false) {
        let pairs = Dictionary(grouping: graph.tree.packages.filter { $0.role == .api || $0.role == .imp }) {
            $0.pairName
        }.filter { $0.value.count > 1 }
        let names = graph.tree.packages.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
        nodes = graph.tree.packages.map { package in
            let isAlone = names[package.name] == 1 || package.path.isEmpty
            return Node(
                name: isAlone ? package.name : package.path, path: package.path,
                layer: package.layer?.rawValue ?? "Other",
                role: package.role.rawValue,
                pair: package.role == .api || package.role == .imp
                    ? pairs[package.pairName].map { _ in package.pairName } : nil)
        }
        var cyclic: Set<[Int]> = []
        for cycle in graph.shortestCycles() { for edge in cycle { cyclic.insert([edge.from, edge.to]) } }
        edges = graph.edges.filter { withTests || !$0.isTest }.map { edge in
            Edge(
                from: edge.from, to: edge.to, isTest: edge.isTest,
                isWrong: cyclic.contains([edge.from, edge.to])
                    || (edge.declarations + edge.imports).contains(where: wrong.contains))
        }
    }

    /// The packages in layers, with all violations of the rules about pairs and layers.
    ///
    /// - Parameter withOutsiders: Whether to include packages outside the layers.
    static func ofLayers(
        _ context: RuleContext, withTests: Bool = false, withOutsiders: Bool = false
    ) throws -> (view: GraphView, findings: [Finding]) {
        let findings = try RuleBook.findings(of: try RuleBook.rules(named: ["pairs", "layers"]), in: context)
        var view = GraphView(context.graph, wrong: Set(findings.map(\.place)), withTests: withTests)
        if !withOutsiders { view.dropOutsiders() }
        return (view, findings)
    }

    /// For each edge, whether other edges imply it: its caller reaches its callee through another dependency.
    ///
    /// Without these edges, the graph is its transitive reduction. Edges that are part of a cycle are never implied.
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
    ///
    /// - Throws: ``ModuleTree/TreeError`` when no package has this name.
    mutating func focus(on name: String) throws {
        let chosen = Set(nodes.indices.filter { nodes[$0].name == name || nodes[$0].pair == name })
        guard !chosen.isEmpty else {
            throw TreeError(
                .configuration, name, what: "is not a package of this tree",
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
    mutating func dropOutsiders() {
        guard nodes.contains(where: { Layer(rawValue: $0.layer) != nil && $0.role != "app" }) else { return }
        keep(Set(nodes.indices.filter { nodes[$0].layer != "Other" }))
    }

    /// Keeps only the packages at these paths.
    mutating func keep(paths: Set<String>) {
        keep(Set(nodes.indices.filter { paths.contains(nodes[$0].path) }))
    }

    private mutating func keep(_ chosen: Set<Int>) {
        let order = nodes.indices.filter(chosen.contains)
        let new = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        nodes = order.map { nodes[$0] }
        edges = edges.compactMap { edge in
            guard let from = new[edge.from], let to = new[edge.to] else { return nil }
            return Edge(from: from, to: to, isTest: edge.isTest, isWrong: edge.isWrong)
        }
    }

    /// The layers that have packages, top first, each with the indices of its nodes.
    var layers: [(name: String, nodes: [Int])] {
        let names = ["Other"] + Layer.allCases.reversed().map(\.rawValue)
        return names.compactMap { name in
            let members = nodes.indices.filter { nodes[$0].layer == name }
            return members.isEmpty ? nil : (name, members)
        }
    }
}
