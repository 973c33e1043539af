import ModuleTree
import ModuleVersions

/// Nothing disappears from an Api without having been deprecated for a release.
struct VersionDeprecationRule: Rule {
    let id = "version-deprecation"
    let group = RuleGroup.versions
    let why = "interfaces change with a transition: the old one stays, marked deprecated (1-ApiCenter, 其它说明)"
    let explanation = """
        What an Api declared at the release before (the commit that gave it its previous version, or --since) and \
        declares no more was marked `@available(*, deprecated, ...)` there.

        Breaks it:  func rides() there in 1.2.0, gone in 2.0.0
        Mend it:    put it back, deprecated, with a default that forwards to what replaces it; remove it one \
        release later.
        """

    func findings(in subject: Subject) throws -> [Finding] {
        try subject.apiChanges.value.changes.flatMap { change in
            change.surface.removedUnannounced.map { what in
                finding(
                    change.row.place,
                    "\(change.api.name): \(what), and was not deprecated in \(change.base.row.api)",
                    mend:
                        "put it back in \(change.api.path), marked @available(*, deprecated, message: \"...\")",
                    notes: [.init(change.api.place, "the Api")])
            }
        }
    }
}
