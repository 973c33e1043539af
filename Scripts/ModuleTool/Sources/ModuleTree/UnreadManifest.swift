/// A manifest that cannot be read. Its package is left out of the tree.
package struct UnreadManifest: Sendable {
    /// The folder of the package, relative to the root.
    package let folder: String
    package let place: SourcePlace
    /// Why it cannot be read, in one line.
    package let reason: String
    package let fix: String

    /// The setting that leaves the package out of the tree.
    package var exclusion: String { "exclude: [\(folder)] in \(Configuration.path)" }

    init(_ folder: String, _ error: Diagnostic) {
        (self.folder, fix) = (folder, error.fix)
        let path = PathText.manifest(in: folder)
        let lines = error.what.split(separator: "\n")
        let mistake = lines.lazy.compactMap { line in
            line.firstMatch(
                of: /Package(?:@swift-[\d.]+)?\.swift:(\d+):(?:(\d+):)? (?:error|Fatal error): (.+)/)
        }.first
        if let mistake, let line = Int(mistake.1) {
            place = SourcePlace(path: path, line: line, column: mistake.2.flatMap { Int($0) } ?? 1)
            reason = String(mistake.3)
        } else {
            // SwiftPM writes the identity of the package before the reason.
            let line = lines.lazy.compactMap { $0.wholeMatch(of: /error: (?:'[^']+': )?(.+)/)?.1 }.first
            (place, reason) = (SourcePlace(path: path), String(line ?? lines.first ?? ""))
        }
    }
}
