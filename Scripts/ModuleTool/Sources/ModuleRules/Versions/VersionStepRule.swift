import ModuleTree
import ModuleVersions

/// The version step of an Api is large enough for the changes of its surface.
struct VersionStepRule: Rule {
    let id = "version-step"
    let group = RuleGroup.versions
    let subject = RuleSubject.rows
    let why = "the change notes and versions of the Api are all that callers see of a release"
    let source: String? = "1-ApiCenter, 说明 4"
    let explanation = """
        The Api is compared with the commits that released its current and its previous version (or with \
        --since). If its public surface changed, its version must rise by at least a minor step, unless the change \
        waits for the next release below `## Unreleased` in CHANGELOG.md. If the \
        change breaks callers or types that conform to its protocols, the version must rise by a major \
        step (before 1.0.0, by a minor step). Breaking changes include: a new requirement without a \
        default implementation; a new case of an enum; adding or removing `async`, `throws` or `@MainActor`; \
        and a different value of a public constant, a default argument or a raw value of an enum, because \
        the name of a route is a contract. All branches of `#if` count, including those for other platforms. The \
        declarations are compared as they are written: a different spelling of the same type is a change.

        Breaks it:  func rides() removed from RideApiProtocol, 1.2.0 -> 1.3.0
        Fix it:     Scripts/modules bump Ride major --note "what callers have to do"
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        try context.apiChanges.value.compactMap { change in
            guard let step = change.step, !change.isRaised, change.release.lowered == nil,
                try !context.awaitsRelease(change.release.row)
            else { return nil }
            let breaks = change.surface.breaks
            let what = breaks.isEmpty ? "something was added or deprecated" : breaks.joined(separator: "; ")
            let isUnraised = change.base.version == change.release.version
            return finding(
                change.release.place,
                "\(change.package.name) changed since \(change.base.version) (commit "
                    + "\(change.base.commit.prefix(10))), but its version is \(change.release.version): \(what)",
                fix: try (isUnraised ? context.noting(change.release.row) : "")
                    + "Scripts/modules bump \(change.release.row) \(step) --note \"what changed for callers\"",
                notes: [.init(change.package.place, "the Api")])
        }
    }
}
