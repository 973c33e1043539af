import ModuleTree

/// Renders a tree of pairs in Mermaid so that a person can read it: a pair is one node, and the other packages of a
/// layer are one node with their names.
///
/// An arrow between two pairs means that the first calls the second; a dotted arrow, that it replaces the second. An arrow between two layers means that packages
/// of the first use packages of the second. Arrows that follow from others are left out, except those of dependencies
/// that break a rule, which are drawn between their packages, in red.
struct GraphOverview {
    private let view: GraphView
    /// The node that each package is drawn in, for the packages that are pairs, apps, or ends of a wrong dependency.
    private let heads: [Int: Int]
    private let calls: [GraphView.Edge]
    private let layerEdges: [(from: String, to: String)]

    /// Returns nil for a tree without pairs, whose packages need no folding.
    init?(_ view: GraphView) {
        let nodes = view.nodes
        let imps = nodes.indices.filter { nodes[$0].role == PackageRole.imp.rawValue }
        guard imps.contains(where: { nodes[$0].pair != nil }) else { return nil }
        self.view = view
        let wrong = view.drawnEdges.filter(\.isWrong)
        var heads = Dictionary(wrong.flatMap { [$0.from, $0.to] }.map { ($0, $0) }, uniquingKeysWith: { $1 })
        for index in view.drawnNodes where heads[index] == nil {
            switch nodes[index].role {
            case PackageRole.app.rawValue, PackageRole.imp.rawValue: heads[index] = index
            case PackageRole.api.rawValue:
                heads[index] = imps.first { nodes[$0].pair != nil && nodes[$0].pair == nodes[index].pair }
            default: break
            }
        }
        self.heads = heads
        let plain = view.drawnEdges.filter { !$0.isWrong }
        let isCaller = { (index: Int) in nodes[index].role == PackageRole.imp.rawValue }
        let called = plain.compactMap { edge -> [Int]? in
            guard let from = heads[edge.from], let to = heads[edge.to], from != to,
                isCaller(from), isCaller(to)
            else { return nil }
            return [from, to]
        }
        calls =
            wrong
            + Self.reduced(Set(called)).sorted { $0.lexicographicallyPrecedes($1) }
            .map { .init(from: $0[0], to: $0[1], isWrong: false) }
        // An Api is drawn with its IMP, but belongs to a layer of its own, which every layer above Base may use.
        let names = view.layers.filter { layer in
            layer.nodes.contains { heads[$0] == $0 || heads[$0] == nil }
        }.map(\.name)
        let used = plain.reduce(into: Set<[Int]>()) { used, edge in
            let ends = [edge.from, edge.to].compactMap { names.firstIndex(of: nodes[$0].layer) }
            if ends.count == 2, ends[0] != ends[1] { used.insert(ends) }
        }
        layerEdges = Self.reduced(used).sorted { $0.lexicographicallyPrecedes($1) }
            .map { (names[$0[0]], names[$0[1]]) }
    }

    /// Removes the edges that follow from other edges. The edges of a cycle all stay.
    private static func reduced(_ edges: Set<[Int]>) -> Set<[Int]> {
        let next = Dictionary(grouping: edges, by: { $0[0] }).mapValues { $0.map { $0[1] } }
        func reachable(from start: Int) -> Set<Int> {
            var seen: Set<Int> = []
            var rest = next[start] ?? []
            while let node = rest.popLast() {
                if seen.insert(node).inserted { rest += next[node] ?? [] }
            }
            return seen
        }
        let all = Dictionary(uniqueKeysWithValues: Set(edges.joined()).map { ($0, reachable(from: $0)) })
        func leads(_ from: Int, _ to: Int) -> Bool { all[from]?.contains(to) == true }
        return edges.filter { edge in
            !(next[edge[0]] ?? []).contains { step in
                step != edge[1] && leads(step, edge[1]) && !leads(step, edge[0]) && !leads(edge[1], step)
            }
        }
    }

    func mermaid() -> String {
        var lines = [PictureInFile.mark, "flowchart TD"]
        for layer in view.layers {
            let drawn = layer.nodes.filter { heads[$0] == $0 }
            let rest = layer.nodes.filter { heads[$0] == nil }
            if drawn.isEmpty && rest.isEmpty { continue }
            lines.append("    subgraph \(layer.name)")
            lines += drawn.map { "        \(GraphText.node(view, [$0]))" }
            if !rest.isEmpty { lines.append("        \(GraphText.node(view, rest))") }
            lines.append("    end")
        }
        let mutual = Set(calls.map { [$0.to, $0.from] })
        let arrows = calls.filter { $0.isWrong || $0.from < $0.to || !mutual.contains([$0.from, $0.to]) }
        lines += arrows.map { edge in
            let isMutual = !edge.isWrong && mutual.contains([edge.from, edge.to])
            let replaced = view.nodes[edge.from].replaces
            if let replaced, replaced == view.nodes[edge.to].pair {
                return GraphText.arrow(view, edge, "-. replaces .->")
            }
            return GraphText.arrow(view, edge, isMutual ? "<-->" : "-->")
        }
        lines += layerEdges.map { "    \($0.from) ==> \($0.to)" }
        lines += GraphText.redLines(arrows)
        return lines.joined(separator: "\n") + "\n"
    }
}
