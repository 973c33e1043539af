import Foundation
import ModuleTree

/// All manifests end with the same settings.
struct SharedSettingsRule: Rule {
    let id = "shared-settings"
    let group = RuleGroup.imports
    let subject = RuleSubject { context in
        let root = lines("Package.swift", in: context.tree)
        return root.flatMap(start) == nil ? 0 : context.tree.packages.count
    }
    let why =
        "SwiftPM cannot share settings between packages, so every manifest has a copy that could differ unnoticed"
    let explanation = """
        Every package's manifest must contain the end of the root manifest, from the comment \
        `\(SharedSettings.mark)` on. The rule applies to trees whose root manifest has this comment.

        Breaks it:  a package's manifest without .strictMemorySafety()
        Fix it:     copy the end of the root manifest.
        """

    func findings(in context: RuleContext) -> [Finding] {
        guard let root = Self.lines("Package.swift", in: context.tree), let end = Self.start(of: root)
        else { return [] }
        let settings = root[end...]
        return context.tree.packages.compactMap { package -> Finding? in
            guard let lines = Self.lines(package.manifestPath, in: context.tree)
            else { return nil }
            let first = Self.start(of: lines) ?? lines.endIndex
            guard !lines[first...].starts(with: settings) else { return nil }
            // The first line that differs or, if the manifest ends too early, its last line.
            let same = zip(lines[first...], settings).prefix { $0 == $1 }.count
            let line = min(first + same, lines.count - 1) + 1
            return finding(
                SourcePlace(path: package.manifestPath, line: line, column: 1),
                "the shared settings of \(package.name) differ from those of the root manifest",
                fix:
                    "replace the end of the manifest with the end of Package.swift, from `\(SharedSettings.mark)` on"
            )
        }
    }

    private static func lines(_ path: String, in tree: Tree) -> [Substring]? {
        guard let data = FileManager.default.contents(atPath: tree.root + "/" + path) else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        // Treats both line endings alike, as SwiftPM does.
        return text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func start(of lines: [Substring]) -> Int? {
        lines.firstIndex { $0.hasPrefix(SharedSettings.mark) }
    }
}
