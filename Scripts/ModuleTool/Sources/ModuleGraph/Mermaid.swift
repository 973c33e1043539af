import ModuleKit
import ModuleTree

/// Renders a graph in Mermaid, which GitHub draws inside Markdown.
package struct Mermaid {
    private typealias Arrow = (edge: GraphView.Edge, sign: String)

    private let view: GraphView

    package init(_ view: GraphView) { self.view = view }

    /// The diagram of a whole tree. In a tree of pairs, a pair is one node, and the other packages of a layer are one
    /// node with their names.
    ///
    /// An arrow between two pairs means that the first calls the second; a dotted arrow, that it replaces the second. An
    /// arrow between two layers means that packages of the first use packages of the second. Arrows that follow from
    /// others are left out. Dependencies that break a rule are drawn between their packages, in red.
    package func overview() -> String {
        let nodes = view.nodes
        func isIMP(_ index: Int) -> Bool { nodes[index].role == PackageRole.imp.rawValue }
        let pairs = nodes.indices.filter { isIMP($0) && nodes[$0].pair != nil }
        if pairs.isEmpty { return everything() }
        let (wrong, right) = (view.drawnEdges.filter(\.isWrong), view.drawnEdges.filter { !$0.isWrong })
        // The node that a package is drawn in; nil if it is drawn with the rest of its layer.
        var heads: [Int: Int] = [:]
        for index in view.drawnNodes {
            switch nodes[index].role {
            case PackageRole.app.rawValue, PackageRole.imp.rawValue: heads[index] = index
            case PackageRole.api.rawValue: heads[index] = pairs.first { nodes[$0].pair == nodes[index].pair }
            default: break
            }
        }
        for end in wrong.flatMap({ [$0.from, $0.to] }) { heads[end] = end }
        let layers = view.layers.map { layer in
            let rest = layer.nodes.filter { heads[$0] == nil }
            let drawn = layer.nodes.filter { heads[$0] == $0 }.map { [$0] } + (rest.isEmpty ? [] : [rest])
            return (name: layer.name, lines: drawn.map { "        " + node($0) })
        }.filter { !$0.lines.isEmpty }

        let calls = Self.reduced(
            right.compactMap { edge in
                guard let from = heads[edge.from], let to = heads[edge.to], from != to, isIMP(from), isIMP(to)
                else { return nil }
                return [from, to]
            })
        let arrows = calls.compactMap { call -> Arrow? in
            let (from, to) = (call[0], call[1])
            let isMutual = calls.contains([to, from])
            if isMutual && from > to { return nil }
            let isReplacing = nodes[from].replaces.map { $0 == nodes[to].pair } == true
            let edge = GraphView.Edge(from: from, to: to, isWrong: false)
            return (edge, isReplacing ? "-. replaces .->" : isMutual ? "<-->" : "-->")
        }
        // An Api is drawn with its IMP, but belongs to a layer of its own, which every layer above Base may use.
        let names = layers.map(\.name)
        let uses = Self.reduced(
            right.compactMap { edge in
                let ends = [edge.from, edge.to].compactMap { names.firstIndex(of: nodes[$0].layer) }
                return ends.count == 2 && ends[0] != ends[1] ? ends : nil
            })
        return text(
            layers, arrows: wrong.map { ($0, "-->") } + arrows,
            uses: uses.map { "    \(names[$0[0]]) ==> \(names[$0[1]])" })
    }

    /// Every package or target of the view, with every dependency.
    package func everything() -> String {
        let layers = view.layers.map { layer in
            let targets = layer.nodes.filter { view.nodes[$0].package != nil }
            let packages = Dictionary(grouping: targets) { view.nodes[$0].package ?? $0 }
            let frames = packages.sorted { $0.key < $1.key }.flatMap { package, targets in
                ["        subgraph \(node([package]))"] + targets.map { "            " + node([$0]) }
                    + ["        end"]
            }
            let plain = layer.nodes.filter { view.nodes[$0].package == nil }
            return (name: layer.name, lines: plain.map { "        " + node([$0]) } + frames)
        }
        // In a tree without layers, a frame around everything would be redundant.
        let isFramed = layers.count > 1 || layers.first?.name != GraphView.other
        return text(layers, isFramed: isFramed, arrows: view.drawnEdges.map { ($0, "-->") })
    }

    /// The edges without those that follow from other edges, sorted. The edges of a cycle all stay.
    private static func reduced(_ edges: [[Int]]) -> [[Int]] {
        let next = Dictionary(grouping: Set(edges), by: { $0[0] }).mapValues { $0.map { $0[1] } }
        let reached = next.mapValues { Set(reachable(from: $0) { next[$0] ?? [] }) }
        func leads(_ from: Int, _ to: Int) -> Bool { reached[from]?.contains(to) == true }
        return Set(edges).filter { edge in
            !(next[edge[0]] ?? []).contains { step in
                step != edge[1] && leads(step, edge[1]) && !leads(step, edge[0]) && !leads(edge[1], step)
            }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    // MARK: Text

    private func text(
        _ layers: [(name: String, lines: [String])], isFramed: Bool = true, arrows: [Arrow],
        uses: [String] = []
    ) -> String {
        let frames = layers.flatMap { name, lines in
            isFramed ? ["    subgraph \(name)"] + lines + ["    end"] : lines
        }
        let wrong = arrows.indices.filter { arrows[$0].edge.isWrong }.map(String.init)
        return
            (["%% Made by: Scripts/modules graph", "flowchart TD"] + frames
            + arrows.map { "    \(id($0.edge.from)) \($0.sign) \(id($0.edge.to))" } + uses
            + (wrong.isEmpty ? [] : ["    linkStyle \(wrong.joined(separator: ",")) stroke:red"]))
            .joined(separator: "\n") + "\n"
    }

    /// A node that shows the names of one or more packages or targets, one per line.
    private func node(_ indices: [Int]) -> String {
        let names = indices.map { view.nodes[$0].name.replacing("\"", with: "'") }
        return "\(id(indices[0]))[\"\(names.joined(separator: "<br>"))\"]"
    }

    /// Names may contain Mermaid syntax, such as `end` or hyphens, so they are used only as labels.
    private func id(_ index: Int) -> String {
        "p_"
            + view.nodes[index].name.unicodeScalars.map { scalar in
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    ? String(scalar) : "_" + String(scalar.value, radix: 16)
            }.joined()
    }
}
