import Foundation

/// A graph as one HTML page that works offline. The page draws the layers with their dependencies as SVG, and shows the
/// callers and the dependencies of the chosen box. The compiler embeds the scripts and the style from the folder `Page`,
/// because the tool is one binary.
package struct GraphPage {
    let title: String
    let map: GraphMap

    package init(title: String, map: GraphMap) { (self.title, self.map) = (title, map) }

    package func html() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Without `<`, no text in the data can close the script element.
        let data = String(decoding: try encoder.encode(map), as: UTF8.self).replacing("<", with: "\\u003c")
        let scripts = [
            PackageResources.model_js, PackageResources.layout_js, PackageResources.map_js,
            PackageResources.save_js, PackageResources.panel_js, PackageResources.page_js,
        ]
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
            script-src 'unsafe-inline'">
            <title>\(escaped(title))</title>
            <style>
            \(text(PackageResources.page_css))</style>
            <header>
              <h1>\(escaped(title))</h1>
              <p id="state"></p>
              <p id="summary"></p>
              <input id="search" type="search" placeholder="Search ( / )" aria-label="Search names">
              <label><input id="deep" type="checkbox"> indirect too</label>
              <label><input id="only" type="checkbox"> hide the rest</label>
              <button id="save" type="button">Save as SVG</button>
            </header>
            <main>
              <div id="view"><svg id="map" role="group" aria-label="Map of \(escaped(title))"></svg></div>
              <aside id="panel" aria-live="polite" aria-label="Details"></aside>
            </main>
            <noscript>This page needs JavaScript.</noscript>
            <script id="data" type="application/json">\(data)</script>
            <script>
            \(scripts.map(text).joined(separator: "\n"))</script>
            </html>

            """
    }

    private func text(_ resource: [UInt8]) -> String { String(decoding: resource, as: UTF8.self) }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
