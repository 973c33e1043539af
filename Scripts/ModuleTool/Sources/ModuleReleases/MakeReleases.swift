import ModuleEdits
import ModuleKit
import ModuleTree
import ModuleVersions

/// Raises the versions of a pair or a library, or of everything that changed since its last release, and adds the change
/// notes: `modules bump Ride minor --note "..."`, and `modules release`.
///
/// Source: seed 1, "说明" 4: an update of the IMP raises the Api's version too, and the notes
/// belong to the Api.
package struct MakeReleases: Edit {
    let name: String?
    let step: VersionStep?
    let notes: [String]
    let isApiOnly: Bool
    let needed: (Tree) throws -> [VersionRaise]
    let released: (Tree) throws -> [String: [SemanticVersion]]
    let generated: GeneratedPackage.Finder

    /// - Parameters:
    ///   - name: A pair or a library; nil for everything that changed since its last release.
    ///   - step: The step; nil for the smallest step that the changes since the last release need.
    ///   - notes: The change notes, one for each change.
    ///   - isApiOnly: Whether to leave the IMP's version unchanged, because only the Api changed.
    ///   - needed: Returns the releases that a tree needs.
    ///   - released: Returns the released versions of each Api and library of a tree, by name.
    ///   - generated: Finds the packages that are generated from pairs, and state their versions.
    package init(
        _ name: String?, _ step: VersionStep? = nil, notes: [String], isApiOnly: Bool = false,
        needed: @escaping (Tree) throws -> [VersionRaise] = { _ in [] },
        released: @escaping (Tree) throws -> [String: [SemanticVersion]] = { _ in [:] },
        generated: @escaping GeneratedPackage.Finder = { _, _ in [] }
    ) {
        (self.name, self.step, self.notes) = (name, step, notes)
        (self.isApiOnly, self.needed, self.released) = (isApiOnly, needed, released)
        self.generated = generated
    }

    package var command: String {
        name.map { (["bump", $0] + (step.map { [$0.rawValue] } ?? [])).joined(separator: " ") } ?? "release"
    }

    package func plan(_ root: TreeRoot) throws -> EditPlan {
        try root.requireVersions(for: name == nil ? "release" : "bump")
        var raises = try VersionRaises(root, notes: notes, generated: generated)
        let wanted = try name.map { [try raise($0, raises)] } ?? needed(raises.tree)
        try Self.refuseUnannounced(wanted)
        if !wanted.isEmpty { return try raises.plan(wanted) }
        return EditPlan(
            try released(raises.tree).contains { !$0.value.isEmpty }
                ? "Nothing has changed since the last releases."
                : "Nothing is released yet. To release the versions of VERSIONS.md, " + raises.tagging())
    }

    private func raise(_ name: String, _ raises: VersionRaises) throws -> VersionRaise {
        let (versions, names) = (raises.versions, raises.tree.names)
        let row = versions.row(of: name)
        guard row != nil || versions.library(name) != nil else {
            throw Diagnostic(
                .configuration, at: VersionsFile.path, "\(name) has no row.",
                why: "A pair has one row, with the versions of its Api and its IMP.",
                fix: Spelling.choice(
                    for: name, among: (versions.rows.map(\.module) + versions.libraries.map(\.name))))
        }
        // Bumping an alternative IMP raises the version of the Api that it implements.
        let owner = if case .of(let other)? = row?.api { other } else { name }
        if isApiOnly, row?.api.version == nil {
            throw Diagnostic(
                .configuration, "\(name) has no Api of its own.",
                why: row == nil ? "It is a library, not a pair." : "It implements \(names.api(owner)).",
                fix: row == nil ? "Leave out --api-only." : "Bump \(owner) instead.")
        }
        if let step {
            let due = try needed(raises.tree).first { $0.name == owner }
            if let due, let least = due.step, step < least {
                throw Diagnostic(
                    .refused, at: VersionsFile.path,
                    "\(name) needs a \(least) step, and \(step) is too small.",
                    why: due.reasons.joined(separator: "\n"),
                    fix:
                        "To accept a break on purpose, write // modules:allow version-step: REASON at the declaration that "
                        + "`check` names. Otherwise run: Scripts/modules bump \(name) \(least)")
            }
            return VersionRaise(
                name: owner, step: step, imps: isApiOnly || row == nil ? [] : [name],
                unannounced: due?.unannounced ?? [])
        }
        guard var needed = try needed(raises.tree).first(where: { $0.name == owner && $0.step != nil }) else {
            throw try nothing(to: name, of: owner, raises)
        }
        if isApiOnly { needed.imps = [] }
        return needed
    }

    /// Refuses the releases that remove what no release has deprecated.
    private static func refuseUnannounced(_ raises: [VersionRaise]) throws(Diagnostic) {
        let removals = raises.flatMap(\.unannounced)
        guard removals.isEmpty else {
            throw Diagnostic(
                .refused, at: VersionsFile.path,
                "the release would remove what no release has deprecated:"
                    + removals.map { "\n  \($0)" }.joined(),
                why: "Callers learn from a deprecation what to use instead, one release before the removal.",
                fix:
                    "Restore each, marked @available(*, deprecated, message: \"...\"), and remove it one release "
                    + "later. To remove it now, write at that place: // modules:allow version-deprecation: REASON"
            )
        }
    }

    /// The error if no change needs a step.
    private func nothing(to name: String, of owner: String, _ raises: VersionRaises) throws -> Diagnostic {
        let row = raises.versions.row(of: owner)
        let package = row == nil ? owner : raises.tree.names.api(owner)
        let version = row?.api.version ?? raises.versions.library(owner)?.version
        let past = try released(raises.tree)[package] ?? []
        let text = version.map { " \($0)" } ?? ""
        let (what, fix) =
            past.isEmpty
            ? (
                "\(package)\(text) is not released yet.",
                "To release it, commit, and \(raises.tagging(owner, version))"
            )
            : version.map(past.contains) == false
                ? (
                    "\(package) is raised to\(text) already, and nothing has changed since.",
                    "Commit the raised version, which releases it; more notes belong below it in \(Changelog.name)."
                )
                : (
                    "\(package) has not changed since its release\(text).",
                    "To release it again, choose a step: Scripts/modules bump \(name) patch --note \"what changed\""
                )
        return Diagnostic(
            .refused, at: VersionsFile.path, what,
            why: "Without a change since a release, bump cannot choose a step.", fix: fix)
    }
}
