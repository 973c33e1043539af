import Foundation

/// The sources of the modules, if this program was built in a checkout that still exists.
struct Checkout: Sendable {
    /// The checkout in which Demo was compiled. The package of `modules focus` compiles this file through a link.
    static let current = Checkout(
        root: URL(filePath: #filePath).resolvingSymlinksInPath().appending(path: "../../../../../../../")
            .standardizedFileURL)

    /// The paths of the files, by the `#fileID` that call sites have.
    private let paths: [String: String]

    init(root: URL) {
        var paths: [String: String] = [:]
        let files = FileManager.default
        func entries(_ folder: URL) -> [URL] {
            (try? files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        }
        let layers = entries(root.appending(path: "Packages")) + [root.appending(path: "Apps")]
        for target in layers.flatMap(entries).map({ $0.appending(path: "Sources") }).flatMap(entries) {
            let sources = files.enumerator(at: target, includingPropertiesForKeys: nil)
            for case let file as URL in sources?.allObjects ?? [] where file.pathExtension == "swift" {
                paths["\(target.lastPathComponent)/\(file.lastPathComponent)"] = file.path
            }
        }
        self.paths = paths
    }

    /// The path of a file; nil for a file that is not in the checkout.
    func path(of file: String) -> String? { paths[file] }

    /// The lines around a line, with their numbers; empty for a file that is not in the checkout.
    func lines(of file: String, around line: Int, margin: Int = 8) -> [(number: Int, text: String)] {
        guard let path = paths[file], let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            return []
        }
        let lines = text.components(separatedBy: "\n").enumerated().map { (number: $0 + 1, text: $1) }
        return lines.filter { abs($0.number - line) <= margin }
    }
}

/// The page that shows the lines at a place.
struct SourcePage {
    let file: String
    let line: Int
    var checkout = Checkout.current

    /// The target of the page's URL; nil for a place that is not in the checkout.
    static func target(of call: ModuleCall, in checkout: Checkout = .current) -> String? {
        guard let file = call.file, let line = call.line, checkout.path(of: file) != nil else { return nil }
        let name = file.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "/source?file=\(name)&line=\(line)"
    }

    /// Reads the query of a target.
    init?(query: String, checkout: Checkout = .current) {
        let values = query.formValues
        guard let file = values["file"], let line = values["line"].flatMap({ Int($0) }),
            checkout.path(of: file) != nil, (1...1_000_000).contains(line)
        else { return nil }
        (self.file, self.line, self.checkout) = (file, line, checkout)
    }

    var document: String {
        let path = checkout.path(of: file) ?? ""
        let lines = checkout.lines(of: file, around: line).map { number, text in
            let mark = number == line ? " class=\"here\" aria-current=\"true\"" : ""
            return "<li value=\"\(number)\"\(mark)><code>\(text.escaped)</code></li>"
        }
        let link = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(file.escaped):\(line)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <link rel="icon" href="data:,"><link rel="stylesheet" href="/app.css"></head>
            <body class="source"><main><h1>\(file.escaped):\(line)</h1><ol>\(lines.joined())</ol>
            <p><a href="vscode://file\(link.escaped):\(line)">Open in Visual Studio Code</a>. In Xcode:
            <code>xed --line \(line) '\(path.escaped)'</code></p></main></body></html>
            """
    }
}
