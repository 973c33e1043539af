import ModuleTree
import ModuleVersions

/// A module type states the version that the release table gives its IMP.
struct VersionInCodeRule: Rule {
    let id = "version-in-code"
    let group = RuleGroup.versions
    let subject = RuleSubject.imps
    let why = "the version that a running app reports must be the one that was released"
    let source: String? = "1-ApiCenter, 如何使用 6"
    let explanation = """
        If a module type declares `let version = "1.2.0"`, this must be the IMP's version in VERSIONS.md.

        Breaks it:  let version = "1.2.0" in RideModule, and | Ride | 1.3.0 | 1.3.0 | >= 1.3.0 |
        Fix it:     correct the literal. Raise versions with Scripts/modules bump, which updates both \
        places.
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        guard let table = try context.versions.value else { return [] }
        return table.rows.flatMap { row -> [Finding] in
            guard let imp = context.tree.package(row.module), imp.role == .imp else { return [] }
            return context.tree.versionsInCode(of: imp).filter { $0.version != row.imp }.map { said in
                // Either the row was lowered or only the code was raised, so the fix names no version.
                let isAhead = said.version.map { $0 > row.imp } ?? false
                return finding(
                    said.place,
                    "\(imp.moduleType) has version \(said.literal), but the table says \(row.imp)",
                    fix: isAhead
                        ? "write the released version in both, and raise both with: Scripts/modules bump \(row.module)"
                        : "write \"\(row.imp)\"",
                    notes: [.init(row.place, "the row")])
            }
        }
    }
}

extension Tree {
    /// The version literals in an IMP's module type. `version` is nil for a literal that is not a version.
    func versionsInCode(
        of imp: LocalPackage
    ) -> [(literal: String, version: SemanticVersion?, place: SourcePlace)] {
        imp.sources.flatMap { file in
            file.facts.declarations.compactMap { declaration in
                guard let literal = declaration.literal, declaration.name == "version",
                    declaration.parent == imp.moduleType
                else { return nil }
                return (literal, SemanticVersion(literal), file.place(declaration.position))
            }
        }
    }
}
