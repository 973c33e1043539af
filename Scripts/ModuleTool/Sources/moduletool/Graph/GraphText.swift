import Foundation

/// Renders a graph as text for other programs.
enum GraphText {
    /// Renders Mermaid, which GitHub draws inside Markdown.
    static func mermaid(_ view: GraphView) -> String {
        var lines = [PictureInFile.mark, "flowchart TD"]
        for layer in view.layers {
            lines.append("    subgraph \(layer.name)")
            for index in layer.nodes {
                lines.append("        \(id(view, index))[\(quoted(view.nodes[index].name))]")
            }
            lines.append("    end")
        }
        for edge in view.edges {
            lines.append("    \(id(view, edge.from)) \(edge.isTest ? "-.->" : "-->") \(id(view, edge.to))")
        }
        let wrong = view.edges.indices.filter { view.edges[$0].isWrong }.map(String.init)
        if !wrong.isEmpty { lines.append("    linkStyle \(wrong.joined(separator: ",")) stroke:red") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Renders DOT, the language of Graphviz.
    static func dot(_ view: GraphView) -> String {
        var lines = ["digraph tree {", "    rankdir=TB; node [shape=box, fontname=\"sans-serif\"];"]
        for layer in view.layers {
            lines.append("    subgraph \(quoted("cluster_" + layer.name)) {")
            lines.append("        label=\(quoted(layer.name));")
            for index in layer.nodes { lines.append("        \(quoted(view.nodes[index].name));") }
            lines.append("    }")
        }
        for edge in view.edges {
            var style = edge.isTest ? ["style=dashed"] : []
            if edge.isWrong { style.append("color=red") }
            let suffix = style.isEmpty ? "" : " [\(style.joined(separator: ", "))]"
            lines.append(
                "    \(quoted(view.nodes[edge.from].name)) -> \(quoted(view.nodes[edge.to].name))\(suffix);")
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private struct Document: Encodable {
        struct Edge: Encodable {
            let from: String
            let to: String
            let test: Bool
            let wrong: Bool
        }
        let packages: [GraphView.Node]
        let edges: [Edge]
    }

    /// Renders JSON, in which edges refer to packages by name.
    static func json(_ view: GraphView, pretty: Bool = true) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        let document = Document(
            packages: view.nodes,
            edges: view.edges.map {
                .init(
                    from: view.nodes[$0.from].name, to: view.nodes[$0.to].name, test: $0.isTest,
                    wrong: $0.isWrong)
            })
        return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    }

    private static func id(_ view: GraphView, _ index: Int) -> String {
        // Names may contain Mermaid syntax, such as `end` or hyphens, so they only serve as labels.
        "p_"
            + view.nodes[index].name.unicodeScalars.map { scalar in
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    ? String(scalar) : "_" + String(scalar.value, radix: 16)
            }.joined()
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\"", with: "'") + "\""
    }
}
