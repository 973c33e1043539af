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
        var context = RuleContext(try tree.read(isLenient: true))
        var findings = try findings(of: rules, in: context)
        var files: [String: String] = [:]
        if findings.contains(where: { $0.rule == "registrations-current" }) {
            for case .write(let path, let text) in try MakeRegistrations().plan(root).changes {
                files[path] = text
            }
        }
        if findings.contains(where: { $0.rule == "remote-current" }) {
            let versions = try root.versionsFile()
            for package in try RemotePackage.all(in: root, context.tree) {
                files.merge(try package.stale(package.interface(), versions)) { $1 }
            }
        }
        if findings.contains(where: { $0.repair == .sort }) {
            files[VersionsFile.path] = VersionsFile(try root.text(VersionsFile.path)).sorted.text
        }
        // One edit can require another: when the last target stops using a package, the package is removed from the
        // manifest too.
        var done: Set<Diagnostic.Repair> = []
        while true {
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
            if edited.isEmpty { break }
            files.merge(edited) { $1 }
            context = RuleContext(try tree.read(isLenient: true, edited: files))
            findings = try self.findings(of: rules.filter { $0.group == .imports }, in: context)
        }
        if rules.contains(where: { $0.id == "diagram-current" }) {
            if !files.isEmpty { context = RuleContext(try tree.read(isLenient: true, edited: files)) }
            let pictures = try PictureInFile.all(in: context.tree.root)
            let graph = pictures.isEmpty ? "" : GraphText.tree(try GraphView(context))
            for picture in pictures {
                guard case .write(let path, let text)? = try picture.change(showing: graph) else { continue }
                files[path] = text
            }
        }
        let changes = files.sorted { $0.key < $1.key }.map { Change.write(path: $0.key, contents: $0.value) }
        return EditPlan(
            changes.isEmpty
                ? "No finding has an exact fix."
                : "Fixed \(changes.count == 1 ? "1 file" : "\(changes.count) files").",
            changes: changes)
    }

    private func findings(of rules: [Rule], in context: RuleContext) throws -> [Diagnostic] {
        let findings = try RuleBook.findings(of: rules, in: context)
        return try Baseline(root: context.tree.root)?.apply(to: findings, of: rules) ?? findings
    }
}
