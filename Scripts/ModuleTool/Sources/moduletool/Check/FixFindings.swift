import Foundation
import ModuleEdits
import ModuleKit
import ModuleRules
import ModuleVersions

/// Applies the fixes that consist of one exact edit: `modules check --fix`.
struct FixFindings: Edit {
    let rules: [Rule]
    let tree: TreeOptions

    var command: String { "check --fix" }

    /// Accepts every tree: fixing a manifest does not need VERSIONS.md or a list of pairs.
    func validate(_ root: TreeRoot) {}

    func plan(_ root: TreeRoot) throws -> EditPlan {
        let fixes = try fixes(in: root)
        let files = try Formatting.kept(fixes.files, like: root)
        let changes = files.sorted { $0.key < $1.key }.map { Change.write(path: $0.key, contents: $0.value) }
        return EditPlan(
            !changes.isEmpty
                ? "Fixed \(Spelling.count(changes.count, "file"))."
                : fixes.found == 0 ? "There is nothing to fix." : "No finding has an exact fix.",
            changes: changes)
    }

    /// The new contents of the files to edit, by path, the number of findings, and the findings that these leave.
    func fixes(in root: TreeRoot) throws -> (files: [String: String], found: Int, left: [Diagnostic]) {
        var files: [String: String] = [:]
        var done: Set<Diagnostic.Repair> = []
        var total: Int?
        // One edit can require another: when the last target stops using a package, the package is removed from the
        // manifest too.
        while true {
            let context = RuleContext(try tree.read(isLenient: true, edited: files))
            let found = try RuleBook.tree.findings(of: rules, in: context)
            let findings =
                try Baseline(root: context.tree.root)?.apply(
                    to: found, of: context.active(rules)) ?? found
            total = total ?? findings.count
            // First the list of pairs: other findings may only follow from a missing entry, and have other fixes.
            let unlisted = findings.compactMap(\.listing).filter { done.insert($0).inserted }
            let lists = TreeRoot(context.tree).manifests(listing: unlisted)
            if !lists.isEmpty {
                files.merge(lists) { $1 }
                continue
            }
            func repaired(_ findings: [Diagnostic]) throws -> [String: String] {
                try ManifestRepairs(of: findings, in: context).applied(in: root) {
                    try files[$0] ?? root.text($0)
                }
            }
            // Removals refer to places in the manifests as they were read, so all removals come before the additions.
            var edited = try repaired(findings.flatMap { [$0] + $0.weaker }.filter { $0.repair == .remove })
            if edited.isEmpty {
                edited = try repaired(findings.filter { $0.repair.map { done.insert($0).inserted } ?? false })
            }
            files.merge(edited) { $1 }
            if !edited.isEmpty { continue }
            // Generated text, which shows the manifests as they are now.
            let left = try findings.filter { finding in
                switch finding.repair {
                case .write(let text): files[finding.place.path] = text
                case .sort:
                    files[VersionsFile.path] = VersionsFile(try root.text(VersionsFile.path)).sorted.text
                case .remove, .add, .list, nil: return true
                }
                return false
            }
            return (files, total ?? 0, left)
        }
    }
}
