import ModuleTree
import ModuleVersions

/// A declaration is deprecated for one release before it is removed from an Api.
struct VersionDeprecationRule: Rule {
    let id = "version-deprecation"
    let group = RuleGroup.versions
    let subject = RuleSubject.rows
    let why = "interfaces change gradually: a replaced declaration stays for a while, marked deprecated"
    let source: String? = "1-ApiCenter, 其它说明"
    let explanation = """
        If an Api's previous release contains a declaration that the current sources lack, the declaration \
        must have been marked `@available(*, deprecated, ...)` in that release. The previous release is \
        the commit that released the Api's previous version, or --since. Before 1.0.0, no compatibility is promised.

        Breaks it:  func rides() not deprecated in 1.2.0, and missing in 2.0.0
        Fix it:     restore it as deprecated, with a default implementation that forwards to its \
        replacement; remove it one release later.
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        let changes = try context.apiChanges.value.filter { $0.base.version.major != 0 }
        return changes.flatMap { change in
            change.surface.removedUnannounced.map { what in
                finding(
                    change.release.place,
                    "\(change.package.name): \(what), but was not deprecated in \(change.base.version)",
                    fix:
                        "restore it in \(change.package.path), marked @available(*, deprecated, message: \"...\")",
                    notes: [.init(change.package.place, "the Api")])
            }
        }
    }
}
