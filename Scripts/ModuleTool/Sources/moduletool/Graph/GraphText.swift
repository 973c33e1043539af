/// Renders a graph in Mermaid, which GitHub draws inside Markdown.
enum GraphText {
    static func mermaid(_ view: GraphView) -> String {
        var lines = [PictureInFile.mark, "flowchart TD"]
        for layer in view.layers {
            lines.append("    subgraph \(layer.name)")
            for index in layer.nodes {
                let name = view.nodes[index].name.replacing("\"", with: "'")
                lines.append("        \(id(view, index))[\"\(name)\"]")
            }
            lines.append("    end")
        }
        for edge in view.edges { lines.append("    \(id(view, edge.from)) --> \(id(view, edge.to))") }
        let wrong = view.edges.indices.filter { view.edges[$0].isWrong }.map(String.init)
        if !wrong.isEmpty { lines.append("    linkStyle \(wrong.joined(separator: ",")) stroke:red") }
        return lines.joined(separator: "\n") + "\n"
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
