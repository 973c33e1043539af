import Foundation
import ModuleEdits
import ModuleRules
import ModuleTree
import ModuleVersions

/// Applies the fixes that consist of one exact edit: `modules check --fix`.
struct FixFindings: Edit {
    let rules: [Rule]
    let tree: TreeOptions

    var command: String { "check --fix" }

    /// Accepts every tree: fixing a manifest does not need VERSIONS.md or a list of pairs.
    func validate(_ root: HouseRoot) {}

    func plan(_ root: HouseRoot) throws -> EditPlan {
        var files: [String: String] = [:]
        var done: Set<Diagnostic.Repair> = []
        // One edit can require another: when the last target stops using a package, the package is removed from the
        // manifest too.
        while true {
            let context = RuleContext(try tree.read(isLenient: true, edited: files))
            let found = try RuleBook.findings(of: rules, in: context)
            let findings = try Baseline(root: context.tree.root)?.apply(to: found, of: rules) ?? found
            func repaired(_ findings: [Diagnostic]) throws -> [String: String] {
                try ManifestRepairs(of: findings, in: context).applied(in: root) {
                    try files[$0] ?? root.text($0)
                }
            }
            // Removals refer to places in the manifests as they were read, so all removals come before the additions.
            var edited = try repaired(findings.filter { $0.repair == .remove })
            if edited.isEmpty {
                edited = try repaired(findings.filter { $0.repair.map { done.insert($0).inserted } ?? false })
            }
            files.merge(edited) { $1 }
            if !edited.isEmpty { continue }
            // Generated text, which shows the manifests as they are now.
            for finding in findings {
                if case .write(let text) = finding.repair { files[finding.place.path] = text }
                if finding.repair == .sort {
                    files[VersionsFile.path] = VersionsFile(try root.text(VersionsFile.path)).sorted.text
                }
            }
            break
        }
        files = try Formatting.kept(files, like: root)
        let changes = files.sorted { $0.key < $1.key }.map { Change.write(path: $0.key, contents: $0.value) }
        return EditPlan(
            changes.isEmpty
                ? "No finding has an exact fix."
                : "Fixed \(Spelling.count(changes.count, "file")).",
            changes: changes)
    }
}
