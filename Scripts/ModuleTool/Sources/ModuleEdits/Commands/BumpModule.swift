import ModuleTree
import ModuleVersions

/// Raises the versions of a pair or a library, or of everything that changed since its last release, and adds the change
/// notes: `modules bump Ride minor --note "..."`, and `modules release`.
///
/// Source: seed 1, "说明" 4: an update of the IMP raises the Api's version too, and the notes
/// belong to the Api.
package struct BumpModule: Edit {
    let name: String?
    let step: VersionStep?
    let notes: [String]
    let isApiOnly: Bool
    let needed: (Tree) throws -> [VersionRaise]
    let isReleased: (Tree) throws -> Bool

    /// - Parameters:
    ///   - name: A pair or a library; nil for everything that changed since its last release.
    ///   - step: The step; nil for the smallest step that the changes since the last release need.
    ///   - notes: The change notes, one for each change.
    ///   - isApiOnly: Whether to leave the IMP's version unchanged, because only the Api changed.
    ///   - needed: Returns the releases that a tree needs.
    ///   - isReleased: Returns whether any version of a tree is released.
    package init(
        _ name: String?, _ step: VersionStep? = nil, notes: [String], isApiOnly: Bool = false,
        needed: @escaping (Tree) throws -> [VersionRaise] = { _ in [] },
        isReleased: @escaping (Tree) throws -> Bool = { _ in true }
    ) {
        (self.name, self.step, self.notes) = (name, step, notes)
        (self.isApiOnly, self.needed, self.isReleased) = (isApiOnly, needed, isReleased)
    }

    package var command: String {
        name.map { (["bump", $0] + (step.map { [$0.rawValue] } ?? [])).joined(separator: " ") } ?? "release"
    }

    package func plan(_ root: HouseRoot) throws -> EditPlan {
        try root.requireVersions(for: name == nil ? "release" : "bump")
        var raises = try VersionRaises(root, notes: notes)
        let wanted = try name.map { [try raise($0, raises)] } ?? needed(raises.tree)
        if !wanted.isEmpty { return try raises.plan(wanted) }
        return EditPlan(
            try isReleased(raises.tree)
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
                        "Scripts/modules bump \(name) \(least); or accept a break on purpose: at the declaration that "
                        + "`check` names, write // modules:allow version-step: the reason")
            }
            return VersionRaise(name: owner, step: step, imps: isApiOnly || row == nil ? [] : [name])
        }
        guard let needed = try needed(raises.tree).first(where: { $0.name == owner && $0.step != nil }) else {
            throw Diagnostic(
                .refused, at: VersionsFile.path,
                "\(name) has not changed since its last release, or was never released.",
                why: "Without a change to compare, bump cannot choose a step.",
                fix: "Choose a step: bump \(name) patch --note \"what changed\"")
        }
        return isApiOnly
            ? VersionRaise(name: owner, step: needed.step, imps: [], reasons: needed.reasons) : needed
    }
}
