import Foundation
import ModuleTree

/// A graph as one HTML page that works offline. Each layer is a band and each pair a card. The page has a search
/// field, and a click on a package or a target shows its callers and its dependencies. The compiler embeds the script
/// and the style from the folder `Page`, because the tool is one binary.
struct GraphPage {
    let title: String
    let view: GraphView

    private struct Document: Encodable {
        struct Edge: Encodable {
            let from: Int
            let to: Int
            let wrong: Bool
        }
        struct Problem: Encodable {
            let rule: String
            let place: String
            let what: String
            let fix: String
            /// The indices of the packages that contain the finding's places.
            let nodes: [Int]
        }
        let nodes: [GraphView.Node]
        /// The packages that are initially drawn as their targets.
        let unfolded: [Int]
        let edges: [Edge]
        let layers: [String]
        let problems: [Problem]
    }

    func html() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Without `<`, no text in the data can close the script element.
        let data = String(decoding: try encoder.encode(document), as: UTF8.self)
            .replacing("<", with: "\\u003c")
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(escaped(title))</title>
            <style>
            \(text(PackageResources.page_css))</style>
            <header>
              <h1>\(escaped(title))</h1>
              <p id="summary"></p>
              <input id="search" type="search" placeholder="Search  ( / )" aria-label="Search packages and targets">
              <label><input id="deep" type="checkbox"> indirect too</label>
              <label><input id="fold" type="checkbox"> hide the rest</label>
              <label><input id="lines" type="checkbox"> all lines</label>
            </header>
            <main>
              <div id="map"><svg id="wires" aria-hidden="true"></svg><div id="bands"></div></div>
              <aside id="panel" aria-live="polite"></aside>
            </main>
            <noscript>This page needs JavaScript.</noscript>
            <script id="data" type="application/json">\(data)</script>
            <script>
            \(text(PackageResources.page_js))</script>
            </html>

            """
    }

    private var document: Document {
        Document(
            nodes: view.nodes, unfolded: view.unfolded.sorted(),
            edges: view.edges.map { .init(from: $0.from, to: $0.to, wrong: $0.isWrong) },
            layers: view.layers.map(\.name),
            problems: view.findings.map { finding in
                let paths = [finding.place.path] + finding.notes.map(\.place.path)
                return .init(
                    rule: finding.rule, place: finding.place.description, what: finding.what,
                    fix: finding.fix, nodes: Array(Set(paths.compactMap(node))).sorted())
            })
    }

    /// The index of the innermost package that contains a file.
    private func node(_ file: String) -> Int? {
        view.nodes.indices.filter { index in
            let node = view.nodes[index]
            return node.package == nil && (node.path.isEmpty || file.hasPrefix(node.path + "/"))
        }
        .max { view.nodes[$0].path.count < view.nodes[$1].path.count }
    }

    private func text(_ resource: [UInt8]) -> String { String(decoding: resource, as: UTF8.self) }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
