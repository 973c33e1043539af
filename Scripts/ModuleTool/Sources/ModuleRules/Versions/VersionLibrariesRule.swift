import ModuleTree
import ModuleVersions

/// The second table of VERSIONS.md is whole: a row for every package that is no half of a pair and back, and
/// no version ever goes down.
struct VersionLibrariesRule: Rule {
    let id = "version-libraries"
    let group = RuleGroup.versions
    let why =
        "outsiders depend on exported packages by version, so each needs one that rises (1-ApiCenter, 其它说明)"
    let explanation = """
        Below the table of the pairs, VERSIONS.md has a table of the libraries: a row for every package under \
        `Packages` that is neither an IMP nor an Api (Core, Base, Adapters, Common's plain packages and \
        facades), and a package for every row. Each has a section with a change note for its version. No version \
        is below what it was at any commit of VERSIONS.md (or at --since). That changed sources have a new version \
        is version-raised's to see.

        Breaks it:  Packages/Base/Mediator, and no row | Mediator | 1.0.0 |
        Mend it:    write the row and the section; later: Scripts/modules bump Mediator minor --note "..."
        """

    func findings(in subject: Subject) throws -> [Finding] {
        let tree = subject.tree
        // Trees that keep no table of versions need none for their libraries; version-table asks the others.
        guard tree.hasPairs, let table = try subject.versions.value else { return [] }
        let packages = tree.packages.filter(\.isLibrary)
        let listed = table.file.unread.union(table.file.libraries.map(\.name))
        let unlisted = packages.filter { !listed.contains($0.name) }.map { package in
            finding(
                SourcePlace(path: VersionTable.path), "\(package.name) has no row among the libraries",
                mend: "write below | Library | Version |: | \(package.name) | 1.0.0 |, and a note",
                notes: [.init(package.place, "the package")])
        }
        let names = Set(packages.map(\.name))
        let unknown = table.file.libraries.filter { !names.contains($0.name) }.map { library in
            finding(
                library.place, "the row's library \(library.name) is no such package of the tree",
                mend: "remove the row and its notes, or write the package")
        }
        return try unlisted + unknown + lowered(subject.releases.value?.libraries ?? [])
    }

    private func lowered(_ libraries: [Releases.Library]) -> [Finding] {
        libraries.compactMap { library in
            guard let old = library.highest, old.version > library.row.version else { return nil }
            return finding(
                library.row.place,
                "\(library.row.name) went down from \(old.version) (commit \(old.commit.prefix(10))) to "
                    + "\(library.row.version)",
                mend: "write \(old.version) in the row again, and go on from there: Scripts/modules bump "
                    + "\(library.row.name) patch --note \"what changed\"")
        }
    }
}
