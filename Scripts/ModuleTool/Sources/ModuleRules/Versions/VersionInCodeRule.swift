import ModuleTree
import ModuleVersions

/// A module says the version that the release table gives its IMP.
struct VersionInCodeRule: Rule {
    let id = "version-in-code"
    let group = RuleGroup.versions
    let why = "the version that a running app reports must be the one that was released (1-ApiCenter, 如何使用 6)"
    let explanation = """
        When a module type has `let version = "1.2.0"`, that is the IMP's version in VERSIONS.md.

        Breaks it:  let version = "1.2.0" in RideModule, and | Ride | 1.3.0 | 1.3.0 | >= 1.3.0 |
        Mend it:    Scripts/modules bump, which writes both; or correct the literal.
        """

    func findings(in subject: Subject) throws -> [Finding] {
        guard let table = try subject.versions.value else { return [] }
        return table.file.rows.flatMap { row -> [Finding] in
            guard let imp = subject.tree.package(row.module), imp.role == .imp else { return [] }
            return imp.mainTargets.flatMap(\.files).map { subject.tree.files[$0] }.flatMap { file in
                file.facts.declarations.compactMap { declaration in
                    guard declaration.parent == row.module + "Module", let literal = declaration.literal,
                        SemanticVersion(literal) != row.imp
                    else { return nil }
                    return finding(
                        file.place(declaration.position),
                        "\(row.module)Module says version \(literal), the table says \(row.imp)",
                        mend: "write \"\(row.imp)\"", notes: [.init(row.place, "the row")])
                }
            }
        }
    }
}
