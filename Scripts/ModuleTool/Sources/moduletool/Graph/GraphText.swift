/// Renders a graph in Mermaid, which GitHub draws inside Markdown.
enum GraphText {
    static func mermaid(_ view: GraphView) -> String {
        var lines = [PictureInFile.mark, "flowchart TD"]
        for layer in view.layers {
            // In a tree without layers, a frame around everything would be redundant.
            let isFramed = view.layers.count > 1 || layer.name != GraphView.other
            if isFramed { lines.append("    subgraph \(layer.name)") }
            for (package, nodes) in packages(of: layer.nodes, in: view) {
                let frame = package.map { "        subgraph \(id(view, $0))[\(label(view, $0))]" }
                let indent = String(repeating: " ", count: package == nil ? 8 : 12)
                lines +=
                    [frame].compactMap(\.self) + nodes.map { "\(indent)\(id(view, $0))[\(label(view, $0))]" }
                if package != nil { lines.append("        end") }
            }
            if isFramed { lines.append("    end") }
        }
        let edges = view.drawnEdges
        for edge in edges { lines.append("    \(id(view, edge.from)) --> \(id(view, edge.to))") }
        let wrong = edges.indices.filter { edges[$0].isWrong }.map(String.init)
        if !wrong.isEmpty { lines.append("    linkStyle \(wrong.joined(separator: ",")) stroke:red") }
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

    private static func label(_ view: GraphView, _ index: Int) -> String {
        "\"\(view.nodes[index].name.replacing("\"", with: "'"))\""
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
