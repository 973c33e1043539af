import Foundation
import ModuleTree
import ModuleVersions

/// A package to export, with its version.
package struct ExportedPackage: Sendable {
    package let source: LocalPackage
    package let version: SemanticVersion
    /// The change notes, newest first. Empty for an IMP, because its Api's notes cover it.
    let notes: [Changelog.Note]
    /// The changes that await a release.
    var unreleased = ""
    /// For an Api: its IMP, with the minimum version that the Api accepts.
    let imp: Imp?
    /// For an IMP: the Api that it implements.
    var api: String? = nil

    struct Imp: Sendable {
        let name: String
        let floor: SemanticVersion
    }

    package var name: String { source.name }

    /// Whether to export the tests. The tests of a package outside the layers, such as a tool, may need this tree.
    var hasTests: Bool { source.role != .other }

    /// The command that raises the package's version.
    var bump: String {
        "Scripts/modules bump \(source.pairName) patch"
            + (source.role == .api ? " --api-only" : "") + " --note \"what changed\""
    }

    /// The name of the product that the export adds to an Api package to link its IMP. The product's target
    /// has the same name.
    static func withImp(_ api: String) -> String { api + "WithImp" }
}

/// The packages of one export: the requested ones and everything that they depend on.
package struct ExportSet: Sendable {
    /// The packages, sorted by name.
    package let packages: [ExportedPackage]

    private let byName: [String: ExportedPackage]

    /// - Parameter names: The names of pairs, halves of pairs or libraries; empty for all pairs and
    ///   libraries.
    package init(_ tree: Tree, _ versions: VersionsFile, names: [String]) throws(Diagnostic) {
        let all = tree.packages.filter {
            $0.isLibrary || $0.role == .imp || $0.role == .api || versions.library($0.name) != nil
        }
        var found: [String: ExportedPackage] = [:]
        var unlisted: [LocalPackage] = []
        var waiting = names.isEmpty ? all : []
        for name in names {
            let chosen = all.filter { $0.pairName == name || $0.name == name }
            guard !chosen.isEmpty else {
                throw Diagnostic(
                    .configuration, "\(name) cannot be exported.",
                    why: "Only pairs and libraries have a version to depend on.",
                    fix: Spelling.choice(for: name, among: Set(all.map(\.pairName)).sorted()))
            }
            waiting += chosen
        }
        while let package = waiting.popLast() {
            guard found[package.name] == nil, !unlisted.contains(where: { $0.name == package.name }) else {
                continue
            }
            let exported = Self.exported(package, versions, tree)
            found[package.name] = exported
            if exported == nil { unlisted.append(package) }
            waiting += package.manifest.dependencies.filter { $0.path != nil }.compactMap {
                tree.package($0.identity)
            }
            if let imp = exported?.imp { waiting += tree.package(imp.name).map { [$0] } ?? [] }
        }
        guard unlisted.isEmpty else { throw Self.unversioned(unlisted, versions) }
        byName = found
        packages = found.values.sorted { $0.name < $1.name }
    }

    /// The package with the given name; nil if it is not in this export.
    func package(_ name: String) -> ExportedPackage? { byName[name] }

    /// The error for packages without a version, which shows the rows to write.
    private static func unversioned(_ packages: [LocalPackage], _ versions: VersionsFile) -> Diagnostic {
        let names = packages.map(\.name).sorted()
        let isFirst = versions.libraries.isEmpty && packages.allSatisfy(\.isLibrary)
        let lines =
            (isFirst ? ["| Library | Version |", "|---|---|"] : []) + names.map { "| \($0) | 1.0.0 |" }
        let fix = "Add a row for each, with its version"
        return Diagnostic(
            .configuration, at: VersionsFile.path,
            "there is no version of \(names.joined(separator: ", ")).",
            why: "Other projects depend on packages by version.",
            fix: packages.allSatisfy(\.isLibrary)
                ? "\(fix), below the table of pairs:" + lines.map { "\n  \($0)" }.joined() : "\(fix).")
    }

    /// The package with its version; nil if VERSIONS.md has none.
    private static func exported(
        _ package: LocalPackage, _ versions: VersionsFile, _ tree: Tree
    ) -> ExportedPackage? {
        let file = FileManager.default.contents(atPath: "\(tree.root)/\(package.path)/\(Changelog.name)")
        let changelog = file.map { Changelog(String(decoding: $0, as: UTF8.self)) }
        let (notes, unreleased) = (changelog?.notes ?? [], changelog?.unreleased ?? "")
        let row = versions.row(of: package.pairName)
        switch package.role {
        case .imp:
            if let row {
                let owner = if case .of(let other) = row.api { other } else { row.module }
                return ExportedPackage(
                    source: package, version: row.imp, notes: [], imp: nil, api: tree.names.api(owner))
            }
        case .api:
            if let row, let version = row.api.version {
                return ExportedPackage(
                    source: package, version: version, notes: notes, unreleased: unreleased,
                    imp: .init(name: row.module, floor: row.floor))
            }
        case .plain, .facade, .other:
            if let library = versions.library(package.name) {
                return ExportedPackage(
                    source: package, version: library.version, notes: notes, unreleased: unreleased,
                    imp: nil)
            }
        case .app: break
        }
        return nil
    }
}
