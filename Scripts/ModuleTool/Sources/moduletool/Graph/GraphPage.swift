import Foundation
import ModuleTree

/// A graph as one HTML page that works offline. Each layer is a band and each pair a card. The page has a search
/// field, and a click on a package or a target shows its callers and its dependencies. The compiler embeds the script
/// and the style from the folder `Page`, because the tool is one binary.
struct GraphPage {
    let title: String
    let view: GraphView

    private struct Document: Encodable {
        let nodes: [GraphView.Node]
        /// The packages that are initially drawn as their targets.
        let unfolded: [Int]
        let edges: [GraphView.Edge]
        let layers: [String]
        let findings: [Diagnostic]
    }

    func html() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let document = Document(
            nodes: view.nodes, unfolded: view.unfolded.sorted(), edges: view.edges,
            layers: view.layers.map(\.name), findings: view.findings)
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

    private func text(_ resource: [UInt8]) -> String { String(decoding: resource, as: UTF8.self) }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
