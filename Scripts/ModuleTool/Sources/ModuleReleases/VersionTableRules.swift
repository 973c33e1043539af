import ModuleKit
import ModuleRules
import ModuleTree
import ModuleVersions

extension Rule {
    static let versionTable = Rule(
        "version-table", in: .versions, needsWholeTree: true, counting: { $0.versioned.count }
    ) { report in
        let (imps, file) = (report.context.versioned, SourcePlace(path: VersionsFile.path))
        guard let table = try report.context.versions.value else {
            if imps.isEmpty { return }
            return report(
                file, "the tree has pairs but no \(VersionsFile.path)",
                fix:
                    "Write the table | Module | Api | IMP | Floor |, with a row for each IMP; or, if the app ships as "
                    + "one, write versions: none in \(Configuration.path).")
        }
        let lost = imps.filter { imp in !table.has(imp.name) }
        for problem in table.problems {
            // An alternative's row is right if only the row of its pair is missing.
            let row = table.rows.first { $0.line == problem.place.line }
            if lost.contains(where: { $0.name == row?.api.owner }) { continue }
            report(problem, in: VersionsFile.path)
        }
        for imp in lost {
            let first = SemanticVersion(1, 0, 0)
            report.missing(
                VersionsFile.Row(module: imp.name, api: .own(first), imp: first), of: imp,
                line: table.line(for: imp.name, among: table.rows))
        }
        let names = Set(imps.map(\.name))
        for row in table.rows where !names.contains(row.module) { report.unexpected(row, "IMP") }
    }

    static let versionLibraries = Rule(
        "version-libraries", in: .versions, needsWholeTree: true, counting: { try $0.rows() }
    ) { report in
        // If a tree of pairs has no VERSIONS.md, the rule version-table reports this.
        guard report.tree.hasPairs, let table = try report.context.versions.value, !table.libraries.isEmpty
        else { return }
        for package in report.context.packages where package.isLibrary && !table.has(package.name) {
            report.missing(
                VersionsFile.Library(name: package.name, version: SemanticVersion(1, 0, 0)), of: package,
                line: table.line(for: package.name, among: table.libraries))
        }
        for library in table.libraries {
            let named = report.context.packages.filter { $0.name == library.name }
            let isOther = named.contains { [.api, .imp, .app].contains($0.role) }
            if !isOther, report.tree.package(library.name) != nil { continue }
            report.unexpected(library, "library")
        }
    }

    static let versionInCode = Rule("version-in-code", in: .versions, over: \.versioned) { imp, report in
        guard let row = try report.context.versions.value?.row(of: imp.name) else { return }
        for said in imp.versionLiterals where SemanticVersion(said.text) != row.imp {
            // Either the row was lowered or only the code was raised, so the fix names no version.
            let isAhead = SemanticVersion(said.text).map { $0 > row.imp } ?? false
            report(
                said.place, "\(imp.moduleType) has version \(said.text), but the table says \(row.imp)",
                fix: isAhead
                    ? "Write the released version in both, and raise both with: Scripts/modules bump \(imp.name)"
                    : "Write \"\(row.imp)\".",
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
            fix: "Require a minimum version instead: from: \"...\"")
    }
}

extension RuleReport {
    /// Reports a row that VERSIONS.md lacks.
    ///
    /// - Parameter line: The line to insert the row before.
    fileprivate mutating func missing(_ row: some VersionRow, of package: LocalPackage, line: Int) {
        self(
            SourcePlace(path: VersionsFile.path, line: line), "the row of \(row.name) is missing",
            fix: "Insert the row with its versions: \(row.text)", notes: [.init(package.place, "the package")]
        )
    }

    /// Reports a row whose package is missing.
    fileprivate mutating func unexpected(_ row: some VersionRow, _ kind: String) {
        self(
            row.place, "the table lists \(row.name), but the tree has no such \(kind)",
            fix: "Remove the row, or add the package.", cause: [row.place])
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
