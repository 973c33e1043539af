import Foundation
import ModuleKit
import ModuleTree
import ModuleVersions

/// A package to export, with its version.
package struct ExportedPackage: Sendable {
    package let source: LocalPackage
    package let version: SemanticVersion
    /// The change notes. Empty for an IMP, because its Api's notes cover it.
    let changelog: Changelog
    /// For an Api: its IMP, with the minimum version that the Api accepts.
    let imp: (name: String, floor: SemanticVersion)?
    /// For an IMP: the Api that it implements.
    let api: String?

    package var name: String { source.name }

    /// Whether to export the tests. The tests of a package outside the layers, such as a tool, may need this tree.
    var hasTests: Bool { source.role != .other }

    /// The command that raises the package's version.
    func bump(_ step: VersionStep) -> String {
        "Scripts/modules bump \(source.pairName) \(step)"
            + (source.role == .api ? " --api-only" : "") + " --note \"what changed\""
    }

    /// The name of the product that the export adds to an Api package to link its IMP. The product's target
    /// has the same name.
    static func withImp(_ api: String) -> String { api + "WithImp" }

    /// The package with its version; nil if VERSIONS.md has none.
    init?(_ package: LocalPackage, _ versions: VersionsFile, _ tree: Tree) {
        let row = versions.row(of: package.pairName)
        let version: SemanticVersion? =
            switch package.role {
            case .imp: row?.imp
            case .api: row?.api.version
            case .plain, .facade, .other: versions.library(package.name)?.version
            case .app: nil
            }
        guard let version else { return nil }
        (source, self.version) = (package, version)
        let file = FileManager.default.contents(atPath: "\(tree.root)/\(package.path)/\(Changelog.name)")
        let hasNotes = package.role != .imp
        changelog = Changelog(hasNotes ? file.map { String(decoding: $0, as: UTF8.self) } ?? "" : "")
        imp = package.role == .api ? row.map { ($0.module, $0.floor) } : nil
        let owner = if case .of(let other)? = row?.api { other } else { package.pairName }
        api = hasNotes ? nil : tree.names.api(owner)
    }
}

/// The packages of one export: the requested ones and everything that they depend on.
package struct ExportSet: Sendable {
    /// The packages, sorted by name.
    package let packages: [ExportedPackage]

    /// - Parameter names: The names of pairs, halves of pairs or libraries; empty for all pairs and
    ///   libraries.
    package init(_ tree: Tree, _ versions: VersionsFile, names: [String]) throws(Diagnostic) {
        let all = tree.packages.filter {
            $0.isLibrary || $0.role == .imp || $0.role == .api || versions.library($0.name) != nil
        }
        let chosen = all.filter { names.isEmpty || names.contains($0.pairName) || names.contains($0.name) }
        let known = Set(all.flatMap { [$0.pairName, $0.name] })
        if let name = names.first(where: { !known.contains($0) }) {
            throw Diagnostic(
                .configuration, "\(name) cannot be exported.",
                why: "Only pairs and libraries have a version to depend on.",
                fix: Spelling.choice(for: name, among: Set(all.map(\.pairName)).sorted()))
        }
        let needed = reachable(from: chosen.map(\.index)) { index in
            let package = tree.packages[index]
            let imp = package.role == .api ? versions.row(of: package.pairName)?.module : nil
            return
                (package.manifest.dependencies.filter { $0.path != nil }.map(\.identity)
                + [imp].compactMap(\.self)).compactMap { tree.package($0)?.index }
        }.map { tree.packages[$0] }
        packages = needed.compactMap { ExportedPackage($0, versions, tree) }.sorted { $0.name < $1.name }
        let unlisted = needed.filter { package in !packages.contains { $0.source === package } }
        guard unlisted.isEmpty else { throw Self.unversioned(unlisted, versions) }
    }

    /// The package with the given name; nil if it is not in this export.
    func package(_ name: String) -> ExportedPackage? { packages.first { $0.name == name } }

    /// The error for packages without a version, which shows the rows to write.
    private static func unversioned(_ packages: [LocalPackage], _ versions: VersionsFile) -> Diagnostic {
        let names = packages.map(\.name).sorted()
        let rows =
            (versions.libraries.isEmpty ? ["| Library | Version |", "|---|---|"] : [])
            + names.map { "| \($0) | 1.0.0 |" }
        let areLibraries = packages.allSatisfy(\.isLibrary)
        return Diagnostic(
            .configuration, at: VersionsFile.path,
            "there is no version of \(names.joined(separator: ", ")).",
            why: "Other projects depend on packages by version.",
            fix: "Add a row for each, with its version"
                + (areLibraries ? ", below the table of pairs:" + rows.map { "\n  \($0)" }.joined() : "."))
    }
}
