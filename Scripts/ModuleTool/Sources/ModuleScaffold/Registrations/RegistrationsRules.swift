import Foundation
import ModuleEdits
import ModuleKit
import ModuleRules
import ModuleTree

extension Rule {
    package static let registrationsCurrent = Rule(
        "registrations-current", in: .registration, needsWholeTree: true,
        counting: { $0.tree.registrations.count }
    ) { report in
        guard report.tree.registrations.count == report.tree.names.apps.count else { return }
        let manifests = report.tree.names.apps.map(\.manifest)
        for (path, contents, lines) in try MakeRegistrations().stale(in: TreeRoot(report.tree))
        where !manifests.contains(path) {
            report(
                SourcePlace(path: path),
                "this list differs from the pairs in the app's manifest or from the routes of their Apis:\n\(lines)",
                fix: "Run: Scripts/modules registrations",
                repair: .write(contents), cause: [SourcePlace(path: path)])
        }
    }

    package static let testUses = Rule(
        "test-uses", in: .registration, needsWholeTree: true, counting: { $0.tree.registrations.count }
    ) { report in
        guard report.tree.registrations.count == report.tree.names.apps.count else { return }
        let root = TreeRoot(report.tree)
        let stale = try root.staleTestUses(report.tree)
        let written = try stale.contains(where: \.isWritable) ? MakeRegistrations().stale(in: root) : []
        for one in stale {
            func list(_ names: [String], _ verb: String) -> String? {
                names.isEmpty ? nil : "\(verb) \(names.joined(separator: ", "))"
            }
            let what = [list(one.missing, "lacks"), list(one.unneeded, "has the unused")].compactMap(\.self)
            let contents = written.first { $0.path == one.manifest }?.contents
            report(
                SourcePlace(path: one.manifest, line: one.line),
                "compared with \(one.pair)'s own manifest, the target \(one.pair)Tests \(what.joined(separator: " and "))",
                fix: one.isWritable
                    ? "Run: Scripts/modules registrations"
                    : "Give the type Pair the property `uses`, and add these products to the test target, as in "
                        + "Configuration.md.",
                repair: one.isWritable ? contents.map { .write($0) } : nil)
        }
    }
}

extension Tree {
    /// The apps whose lists of modules exist.
    fileprivate var registrations: [Configuration.App] {
        hasLayers
            ? names.apps.filter { FileManager.default.fileExists(atPath: root + "/" + $0.registrations) } : []
    }
}
