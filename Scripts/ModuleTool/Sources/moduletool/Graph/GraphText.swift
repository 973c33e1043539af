/// Renders a graph in Mermaid, which GitHub draws inside Markdown.
enum GraphText {
    /// The diagram of a whole tree: an overview if the tree has pairs, and otherwise every package.
    static func tree(_ view: GraphView) -> String { GraphOverview(view)?.mermaid() ?? mermaid(view) }

    /// Every package or target of the view, with every dependency.
    static func mermaid(_ view: GraphView) -> String {
        var lines = [PictureInFile.mark, "flowchart TD"]
        for layer in view.layers {
            // In a tree without layers, a frame around everything would be redundant.
            let isFramed = view.layers.count > 1 || layer.name != GraphView.other
            if isFramed { lines.append("    subgraph \(layer.name)") }
            for (package, nodes) in packages(of: layer.nodes, in: view) {
                let frame = package.map { "        subgraph \(node(view, [$0]))" }
                let indent = String(repeating: " ", count: package == nil ? 8 : 12)
                lines +=
                    [frame].compactMap(\.self) + nodes.map { indent + node(view, [$0]) }
                if package != nil { lines.append("        end") }
            }
            if isFramed { lines.append("    end") }
        }
        let edges = view.drawnEdges
        lines += edges.map { arrow(view, $0, "-->") } + redLines(edges)
        return lines.joined(separator: "\n") + "\n"
    }

    /// The nodes in groups: consecutive targets of one package form a group, and each package is a group by itself.
    private static func packages(of nodes: [Int], in view: GraphView) -> [(package: Int?, nodes: [Int])] {
        nodes.reduce(into: []) { groups, node in
            let package = view.nodes[node].package
            if let last = groups.indices.last, groups[last].package == package {
                groups[last].nodes.append(node)
            } else {
                groups.append((package, [node]))
            }
        }
    }

    /// A node that shows the names of one or more packages or targets, one per line.
    static func node(_ view: GraphView, _ indices: [Int]) -> String {
        let names = indices.map { view.nodes[$0].name.replacing("\"", with: "'") }
        return "\(id(view, indices[0]))[\"\(names.joined(separator: "<br>"))\"]"
    }

    static func arrow(_ view: GraphView, _ edge: GraphView.Edge, _ sign: String) -> String {
        "    \(id(view, edge.from)) \(sign) \(id(view, edge.to))"
    }

    /// The line that colours the wrong ones of the diagram's first arrows; empty if all are right.
    static func redLines(_ edges: [GraphView.Edge]) -> [String] {
        let wrong = edges.indices.filter { edges[$0].isWrong }.map(String.init)
        return wrong.isEmpty ? [] : ["    linkStyle \(wrong.joined(separator: ",")) stroke:red"]
    }

    private static func id(_ view: GraphView, _ index: Int) -> String {
        // Names may contain Mermaid syntax, such as `end` or hyphens, so they are used only as labels.
        "p_"
            + view.nodes[index].name.unicodeScalars.map { scalar in
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    ? String(scalar) : "_" + String(scalar.value, radix: 16)
            }.joined()
    }
}
