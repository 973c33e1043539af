import ModuleTree
import ModuleVersions

extension Rule {
    static let versionTable = Rule(
        "version-table", in: .versions, needsWholeTree: true, counting: { $0.imps.count }
    ) { report in
        let (imps, file) = (report.context.imps, SourcePlace(path: VersionsFile.path))
        guard let table = try report.context.versions.value else {
            if imps.isEmpty { return }
            return report(
                file, "the tree has pairs but no \(VersionsFile.path)",
                fix: "write the table | Module | Api | IMP | Floor |, with a row for each IMP")
        }
        let problems = table.problems.isEmpty ? table.inconsistencies : table.problems
        for problem in problems { report(problem, in: VersionsFile.path) }
        // A row that cannot be read is not missing.
        if !table.problems.isEmpty { return }
        let rows = Set(table.rows.map(\.module))
        for imp in imps where !rows.contains(imp.name) {
            report(
                file, "\(imp.name) has no row",
                fix: "add a row with its versions, such as | \(imp.name) | 1.0.0 | 1.0.0 | >= 1.0.0 |",
                notes: [.init(imp.place, "the package")])
        }
        let names = Set(imps.map(\.name))
        for row in table.rows where !names.contains(row.module) {
            report(
                row.place, "the table lists \(row.module), but the tree has no such IMP",
                fix: "remove the row, or add the package")
        }
    }

    static let versionLibraries = Rule(
        "version-libraries", in: .versions, needsWholeTree: true, counting: { try $0.rows() }
    ) { report in
        // If a tree of pairs has no VERSIONS.md, the rule version-table reports this.
        guard report.tree.hasPairs, let table = try report.context.versions.value, !table.libraries.isEmpty,
            table.problems.isEmpty
        else { return }
        let listed = Set(table.libraries.map(\.name))
        for package in report.context.packages where package.isLibrary && !listed.contains(package.name) {
            report(
                SourcePlace(path: VersionsFile.path), "\(package.name) has no row among the libraries",
                fix: "below | Library | Version |, add | \(package.name) | 1.0.0 |",
                notes: [.init(package.place, "the package")])
        }
        for library in table.libraries {
            let named = report.context.packages.filter { $0.name == library.name }
            let isOther = named.contains { [.api, .imp, .app].contains($0.role) }
            if !isOther, report.tree.package(library.name) != nil { continue }
            report(
                library.place, "the table lists \(library.name), but the tree has no such library",
                fix: "remove the row, or add the package")
        }
    }

    static let versionInCode = Rule("version-in-code", in: .versions, over: \.imps) { imp, report in
        guard let row = try report.context.versions.value?.row(of: imp.name) else { return }
        for said in imp.versionLiterals where SemanticVersion(said.text) != row.imp {
            // Either the row was lowered or only the code was raised, so the fix names no version.
            let isAhead = SemanticVersion(said.text).map { $0 > row.imp } ?? false
            report(
                said.place, "\(imp.moduleType) has version \(said.text), but the table says \(row.imp)",
                fix: isAhead
                    ? "write the released version in both, and raise both with: Scripts/modules bump \(imp.name)"
                    : "write \"\(row.imp)\"",
                notes: [.init(row.place, "the row")])
        }
    }

    static let versionFloors = Rule("version-floors", in: .versions, over: { $0.requirements }) {
        item, report in
        let (package, dependency) = item
        guard let pin = dependency.pin else { return }
        let suffix = report.tree.names.apiSuffix
        // An exported Api has the name of its product. Other packages may end in the same letters.
        let isOurs = package.targets.flatMap(\.dependencies).contains {
            $0.name.lowercased() == dependency.identity && $0.name.hasSuffix(suffix)
        }
        guard isOurs || report.tree.package(dependency.identity) != nil else { return }
        report(
            dependency.position.in(package.manifestPath),
            "\(package.name) pins \(dependency.identity): \(pin)",
            fix: "require a minimum version instead: from: \"...\"")
    }
}

extension RuleContext {
    /// The dependencies on packages that have versions.
    fileprivate var requirements: [(LocalPackage, Manifest.Dependency)] {
        guard tree.hasPairs else { return [] }
        return packages.flatMap { package in
            package.manifest.dependencies.filter { $0.path == nil }.map { (package, $0) }
        }
    }
}
