import ModuleTree
import ModuleVersions

/// Raises the versions of a pair or a library and adds the change notes:
/// `modules bump Ride minor --note "..."`.
///
/// Source: seed 1, "说明" 4: an update of the IMP raises the Api's version too, and the notes
/// belong to the Api.
package struct BumpModule: Edit {
    let name: String
    let step: VersionStep?
    let notes: [String]
    let isApiOnly: Bool
    let needed: () throws -> [VersionRaise]

    /// - Parameters:
    ///   - step: The step; nil for the smallest step that the changes since the last release need.
    ///   - notes: The change notes, one for each change.
    ///   - isApiOnly: Whether to leave the IMP's version unchanged, because only the Api changed.
    ///   - needed: Returns the releases that the tree needs.
    package init(
        name: String, step: VersionStep?, notes: [String], isApiOnly: Bool = false,
        needed: @escaping () throws -> [VersionRaise] = { [] }
    ) {
        (self.name, self.step, self.notes) = (name, step, notes)
        (self.isApiOnly, self.needed) = (isApiOnly, needed)
    }

    package var command: String {
        (["bump", name] + (step.map { [$0.rawValue] } ?? [])).joined(separator: " ")
    }

    package func plan(_ root: HouseRoot) throws -> EditPlan {
        var raises = try VersionRaises(root, notes: notes)
        return try raises.plan([try raise(raises.versions, root.configuration)])
    }

    private func raise(_ versions: VersionsFile, _ configuration: Configuration) throws -> VersionRaise {
        if versions.library(name) != nil, isApiOnly {
            throw Diagnostic(
                .configuration, "\(name) has no Api.", why: "It is a library, not a pair.",
                fix: "Leave out --api-only.")
        }
        let row = versions.row(of: name)
        guard row != nil || versions.library(name) != nil else { throw unlisted(versions, configuration) }
        // Bumping an alternative IMP raises the version of the Api that it implements.
        let owner = if case .of(let other)? = row?.api { other } else { name }
        if let row, owner != name {
            if isApiOnly {
                throw Diagnostic(
                    .configuration, "\(name) has no Api of its own.",
                    why: "It implements \(configuration.api(owner)).",
                    fix: "Use: \(bump(owner)) --api-only --note \"...\"")
            }
            guard versions.row(of: owner)?.api.version != nil else {
                throw Diagnostic(
                    .configuration, at: "\(VersionsFile.path):\(row.line)",
                    "\(name) implements the Api of \(owner), which has no row with an Api of its own.",
                    why: "Bumping \(name) also bumps that Api.", fix: "Correct the Api cell of \(name).")
            }
        }
        if let step {
            return VersionRaise(name: owner, step: step, imps: isApiOnly || row == nil ? [] : [name])
        }
        guard let needed = try needed().first(where: { $0.name == owner && $0.step != nil }) else {
            throw Diagnostic(
                .refused, at: VersionsFile.path,
                "\(name) has not changed since its last release, or was never released.",
                why: "Without a change to compare, bump cannot choose a step.",
                fix: "Choose a step: bump \(name) patch --note \"what changed\"")
        }
        return isApiOnly
            ? VersionRaise(name: owner, step: needed.step, imps: [], reasons: needed.reasons) : needed
    }

    private func bump(_ name: String) -> String { "bump \(name)" + (step.map { " \($0.rawValue)" } ?? "") }

    private func unlisted(_ versions: VersionsFile, _ configuration: Configuration) -> Diagnostic {
        let pairs = versions.rows.map(\.module)
        let names = pairs + versions.libraries.map(\.name)
        if let pair = pairs.first(where: { configuration.api($0).lowercased() == name.lowercased() }) {
            return Diagnostic(
                .configuration, at: VersionsFile.path, "\(name) has no row of its own.",
                why: "A pair has one row, with the versions of its Api and its IMP.",
                fix: "Use: \(bump(pair)), with --api-only if the IMP did not change.")
        }
        let other = Spelling.suggestion(for: name, among: names)
        return Diagnostic(
            .configuration, at: VersionsFile.path, "\(name) has no row.",
            fix: other.map { "Use: \(bump($0))" } ?? Spelling.choice(for: name, among: names))
    }
}

/// Raises the versions of everything that changed since its last release: `modules release`.
package struct ReleaseModules: Edit {
    let notes: [String]
    let needed: () throws -> [VersionRaise]

    /// - Parameters:
    ///   - notes: Change notes for every raised package, in addition to its unreleased changes.
    ///   - needed: Returns the releases that the tree needs.
    package init(notes: [String], needed: @escaping () throws -> [VersionRaise]) {
        (self.notes, self.needed) = (notes, needed)
    }

    package var command: String { "release" }

    package func plan(_ root: HouseRoot) throws -> EditPlan {
        let needed = try needed()
        guard !needed.isEmpty else { return EditPlan("Nothing has changed since the last releases.") }
        var raises = try VersionRaises(root, notes: notes)
        return try raises.plan(needed)
    }
}
