import ModuleKit
import ModuleTree

/// The packages of a tree and their targets, with the dependencies between them.
///
/// A package with several targets, not counting tests, is drawn folded, as one node, or unfolded, as its targets.
package struct GraphView {
    struct Node {
        /// The name of the package or target. If several have this name, a package's path instead, or a target's name
        /// followed by its package's.
        let name: String
        let path: String
        /// The layer's name, or "Other".
        let layer: String
        let role: String
        /// The name that an Api and its IMP share.
        var pair: String?
        /// The pair whose Api an alternative IMP implements.
        var replaces: String?
        /// The index of a target's package; nil for a package.
        var package: Int?
        /// Whether the node is the target of an Api's fakes, or a target in the folder of the tests.
        var isForTests = false
    }

    struct Edge {
        var from: Int
        var to: Int
        /// Whether the dependency is part of a cycle or breaks a rule.
        let isWrong: Bool
        /// The places of the imports, or of the declarations in manifests if no source file imports the other end.
        var places: [SourcePlace] = []
        /// Whether a source file imports the other end.
        var isImported = false
        /// The indices of the findings about this dependency.
        var findings: [Int] = []
    }

    /// The packages, followed by the targets of those that have several.
    private(set) var nodes: [Node]
    /// The dependencies between targets. A package with a single target stands for that target.
    private(set) var edges: [Edge]
    /// The packages that are drawn as their targets, not as one node.
    private(set) var unfolded: Set<Int>

    /// The violations of the rules about pairs and layers. Dependencies at these places are drawn as wrong.
    let findings: [Diagnostic]
    /// The names of the packages outside the layers, which are not drawn if the tree has layers.
    private(set) var omitted: [String] = []

    /// The name under which packages outside the layers are drawn.
    static let other = "Other"
    /// The names of all layers, top first.
    let layerNames: [String]

    /// Unfolds packages that have more targets than the tree has packages, because in such a tree the targets are the
    /// modules.
    ///
    /// - Parameters:
    ///   - graph: The graph of the tree's packages.
    ///   - findings: The violations of the rules about pairs and layers.
    ///   - focus: The name of a package, a target or a pair, of which only the direct callers and dependencies are kept;
    ///     nil for the whole tree.
    package init(
        _ tree: Tree, _ graph: PackageGraph, findings: [Diagnostic], focus: String? = nil
    ) throws {
        let targetGraph = TargetGraph(tree)
        self.findings = findings
        layerNames = [Self.other] + tree.names.layers.reversed().map(\.name)
        let halves = tree.packages.filter { $0.role == .api || $0.role == .imp }
        let pairs = Dictionary(grouping: halves, by: \.pairName).filter { $0.value.count > 1 }
        let main = tree.packages.map { package in package.targets.filter { $0.kind != .test } }
        let names = tree.packages.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
        let all = main.filter { $0.count > 1 }.joined().reduce(into: names) { $0[$1.name, default: 0] += 1 }
        nodes = tree.packages.map { package in
            let isAlone = names[package.name] == 1 || package.path.isEmpty
            return Node(
                name: isAlone ? package.name : package.path, path: package.path,
                layer: package.layer?.name ?? Self.other, role: package.role.rawValue,
                pair: pairs[package.pairName]?.contains { $0 === package } == true ? package.pairName : nil,
                replaces: package.role == .imp ? tree.alternative(of: package)?.pairName : nil)
        }
        var indices: [ObjectIdentifier: Int] = [:]
        for (index, targets) in main.enumerated() {
            let shipped = tree.packages[index].mainTargets
            for target in targets {
                indices[ObjectIdentifier(target)] = targets.count > 1 ? nodes.count : index
                guard targets.count > 1 else { continue }
                let name = all[target.name] == 1 ? target.name : "\(target.name) (\(nodes[index].name))"
                nodes.append(
                    Node(
                        name: name, path: nodes[index].path, layer: nodes[index].layer,
                        role: target.kind.rawValue, package: index,
                        isForTests: !shipped.contains { $0 === target }))
            }
        }
        unfolded = Set(main.indices.filter { main[$0].count > max(1, main.count) })
        let wrong = Dictionary(
            findings.enumerated().flatMap { index, finding in
                finding.cause.union([finding.place]).map { ($0, Set([index])) }
            }, uniquingKeysWith: { $0.union($1) })
        let cyclic = Set(graph.shortestCycles().joined().map { [$0.from, $0.to] })
        edges = targetGraph.edges.compactMap { edge in
            let ends = [edge.from, edge.to].map { targetGraph.nodes[$0] }
            let known = ends.compactMap { indices[ObjectIdentifier($0.target)] }
            guard known.count == 2 else { return nil }
            let findings = edge.places.reduce(into: Set<Int>()) { $0.formUnion(wrong[$1] ?? []) }
            return Edge(
                from: known[0], to: known[1],
                isWrong: cyclic.contains(ends.map(\.package.index)) || !findings.isEmpty,
                places: edge.imports.isEmpty ? edge.places : edge.imports, isImported: !edge.imports.isEmpty,
                findings: findings.sorted())
        }
        // In a tree with layers, packages outside the layers, such as tools, are left out.
        if nodes.contains(where: { $0.layer != Self.other && $0.role != PackageRole.app.rawValue }) {
            omitted = nodes.filter { $0.layer == Self.other && $0.package == nil }.map(\.name)
            keep(Set(nodes.indices.filter { nodes[$0].layer != Self.other }))
        }
        if let focus { try keepNeighbours(of: focus) }
    }

    private mutating func keepNeighbours(of name: String) throws(Diagnostic) {
        let chosen = Set(
            nodes.indices.filter { index in
                let names = [
                    nodes[index].name, nodes[index].pair, nodes[index].package.map { nodes[$0].name },
                ]
                return names.contains(name)
            })
        guard !chosen.isEmpty else {
            throw Self.unknown(name, among: nodes.map(\.name))
        }
        // A target is visible only in an unfolded package.
        unfolded.formUnion(chosen.compactMap { nodes[$0].name == name ? nodes[$0].package : nil })
        edges.removeAll { !chosen.contains($0.from) && !chosen.contains($0.to) }
        let seen = chosen.union(edges.flatMap { [$0.from, $0.to] })
        keep(seen.union(seen.compactMap { nodes[$0].package }))
    }

    /// The error for the name of no package and no target.
    static func unknown(_ name: String, among names: [String]) -> Diagnostic {
        Diagnostic(
            .configuration, at: name, "is neither a package nor a target of this tree",
            why: "An empty diagram would look like a package without neighbours.",
            fix: Spelling.choice(for: name, among: names.sorted()))
    }

    private mutating func keep(_ chosen: Set<Int>) {
        let new = Dictionary(uniqueKeysWithValues: chosen.sorted().enumerated().map { ($1, $0) })
        nodes = chosen.sorted().map { index in
            var node = nodes[index]
            node.package = node.package.flatMap { new[$0] }
            return node
        }
        unfolded = Set(unfolded.compactMap { new[$0] })
        edges = edges.compactMap { edge in
            guard let from = new[edge.from], let to = new[edge.to] else { return nil }
            var edge = edge
            (edge.from, edge.to) = (from, to)
            return edge
        }
    }

    // MARK: What is drawn

    /// The node to draw for a node: for a target of a folded package, the package; otherwise the node itself.
    private func drawn(_ node: Int) -> Int {
        nodes[node].package.flatMap { unfolded.contains($0) ? nil : $0 } ?? node
    }

    /// The nodes to draw: folded packages, and the targets of unfolded ones.
    var drawnNodes: [Int] { nodes.indices.filter { drawn($0) == $0 && !unfolded.contains($0) } }

    /// The edges between these nodes.
    var drawnEdges: [Edge] {
        var wrong: [[Int]: Bool] = [:]
        for edge in edges {
            let ends = [drawn(edge.from), drawn(edge.to)]
            if ends[0] != ends[1] { wrong[ends] = wrong[ends] ?? false || edge.isWrong }
        }
        return wrong.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ends, isWrong in
            Edge(from: ends[0], to: ends[1], isWrong: isWrong)
        }
    }

    /// The layers that have nodes to draw, top first, each with the indices of its nodes.
    var layers: [(name: String, nodes: [Int])] {
        layerNames.compactMap { name in
            let members = drawnNodes.filter { nodes[$0].layer == name }
            return members.isEmpty ? nil : (name, members)
        }
    }
}
