import ModuleTree
import ModuleVersions

/// The second table of VERSIONS.md lists every package that does not belong to a pair.
struct VersionLibrariesRule: Rule {
    let id = "version-libraries"
    let group = RuleGroup.versions
    let subject = RuleSubject.rows
    let needsWholeTree = true
    let why =
        "other projects depend on exported packages by version, so each package needs a version that every release raises"
    let source: String? = "1-ApiCenter, 其它说明"
    let explanation = """
        Below the table of pairs, VERSIONS.md may have a table of libraries. The table must have a row for every \
        package of a layer that is neither an IMP nor an Api, and every row must belong to a package. The rule \
        version-raised checks that changed sources get a new version. For a package outside the layers, such \
        as a tool, the row gives the version of the last export; the package's sources may change before the next \
        export.

        Breaks it:  Packages/Base/Mediator, and no row | Mediator | 1.0.0 |
        Fix it:     add the row. For later releases: Scripts/modules bump Mediator minor \
        --note "..."
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        let tree = context.tree
        // If a tree of pairs has no VERSIONS.md, the rule version-table reports this.
        guard tree.hasPairs, let table = try context.versions.value, !table.libraries.isEmpty else {
            return []
        }
        let packages = tree.packages.filter(\.isLibrary)
        let listed = table.unread.union(table.libraries.map(\.name))
        let unlisted = packages.filter { !listed.contains($0.name) }.map { package in
            finding(
                SourcePlace(path: VersionsFile.path), "\(package.name) has no row among the libraries",
                fix: "below | Library | Version |, add | \(package.name) | 1.0.0 |",
                notes: [.init(package.place, "the package")])
        }
        let halves = tree.packages.filter { $0.role == .api || $0.role == .imp || $0.role == .app }
        let unknown = table.libraries.filter { library in
            tree.package(library.name) == nil || halves.contains { $0.name == library.name }
        }.map { library in
            finding(
                library.place, "the table lists \(library.name), but the tree has no such library",
                fix: "remove the row, or add the package")
        }
        return unlisted + unknown
    }
}
