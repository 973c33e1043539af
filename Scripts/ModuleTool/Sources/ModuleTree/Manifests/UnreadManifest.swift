import ModuleKit

/// A manifest that cannot be read. Its package is left out of the tree.
package struct UnreadManifest: Sendable {
    /// The folder of the package, relative to the root.
    package let folder: String
    package private(set) var place: SourcePlace
    /// Why it cannot be read, in one line.
    package let reason: String
    package private(set) var fix: String
    /// The edit that makes the manifest readable, if it is exact.
    package private(set) var repair: Diagnostic.Repair?

    /// The setting that leaves the package out of the tree; nil for the root and for an app, without which most of the
    /// tree would be left out.
    package private(set) var exclusion: String?

    /// - Parameters:
    ///   - folders: The folders of all packages.
    ///   - text: Returns the text of the manifest.
    init(
        _ folder: String, _ error: Diagnostic, among folders: [String], _ names: Configuration,
        text: () -> [UInt8]?
    ) {
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
            // SwiftPM writes the identity of the package before the reason, and the paths of all packages after it.
            let line = lines.lazy.compactMap { $0.wholeMatch(of: /error: (?:'[^']+': )?(.+)/)?.1 }.first
            place = SourcePlace(path: path)
            reason =
                (line ?? lines.first).map {
                    String($0[..<($0.firstRange(of: "; valid ")?.lowerBound ?? $0.endIndex)])
                } ?? ""
        }
        guard let app = names.apps.first(where: { $0.manifest == path }) else {
            if !folder.isEmpty { exclusion = "exclude: [\(folder)] in \(Configuration.path)" }
            return
        }
        // The list of pairs lacks a pair whose Api the tests of another one use.
        guard let name = reason.firstMatch(of: /^unknown package '([^']+)' in dependencies of target/)?.1,
            let api = folders.first(where: { PathText.split($0).name == name }),
            let imp = folders.first(where: { names.api($0) == api }),
            let source = text().flatMap({ try? ManifestSource($0, in: "/" + folder) }),
            let list = source.value(of: "pairs")
        else { return }
        place = source.position(list).in(path)
        fix = app.fix(listing: imp)
        if names.apps.count == 1 { repair = .list(imp: imp, alternativeTo: nil) }
    }

    /// The fix, and the setting that leaves the package out.
    package var fixes: String {
        (exclusion.map { "To check the tree without this package, write \($0). " } ?? "") + fix
    }

    /// The error of a command that needs this manifest.
    package func error(why: String) -> Diagnostic {
        Diagnostic(
            .configuration, at: place, "the manifest cannot be read: \(reason)", why: why, fix: fixes)
    }
}

extension Configuration.App {
    /// The fix for an IMP that the list of pairs lacks.
    ///
    /// - Parameters:
    ///   - imp: The folder of the IMP.
    ///   - owner: The pair whose Api an alternative implements.
    package func fix(listing imp: String, alternativeTo owner: String? = nil) -> String {
        let path = PathText.path(to: imp, from: packages)
        return
            "Add Pair(\"\(path)\"\(owner.map { ", alternativeTo: \"\($0)\"" } ?? "")), to the pairs in \(manifest)."
    }
}
