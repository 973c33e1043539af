import ModuleEdits
import ModuleTree
import ModuleVersions

/// A package that is to be exported, with its version.
package struct ExportedPackage: Sendable {
    package let source: LocalPackage
    package let version: SemanticVersion
    /// The change notes, newest first. None for an IMP: what it does for callers, its Api's notes say.
    let notes: [VersionsFile.Note]
    /// The IMP of an Api, and the least version of it that the Api accepts.
    let imp: Imp?
    /// The Api that an IMP implements.
    var api: String? = nil

    struct Imp: Sendable {
        let name: String
        let floor: SemanticVersion
    }

    package var name: String { source.name }

    /// The command that gives it a new version.
    var bump: String {
        "Scripts/modules bump \(source.pairName) patch"
            + (source.role == .api ? " --api-only" : "") + " --note \"what changed\""
    }

    /// The product and target of an Api's package that link its IMP.
    static func withImp(_ api: String) -> String { api + "WithImp" }
}

/// The packages of one run: those that were asked for, and what they stand on.
package struct ExportSet: Sendable {
    /// By name.
    package let packages: [ExportedPackage]

    private let byName: [String: ExportedPackage]

    /// - Parameter names: Pairs, halves of pairs or libraries; none for everything that has a version.
    /// - Throws: ``ModuleEdits/EditError`` for a name that is none of these.
    package init(_ tree: Tree, _ versions: VersionsFile, names: [String]) throws(EditError) {
        let all = tree.packages.filter { $0.isLibrary || $0.role == .imp || $0.role == .api }
        var found: [String: ExportedPackage] = [:]
        var waiting = names.isEmpty ? all : []
        for name in names {
            let chosen = all.filter { $0.pairName == name || $0.name == name }
            guard !chosen.isEmpty else {
                let known = Set(all.map(\.pairName)).sorted().joined(separator: ", ")
                throw EditError(
                    .usage, "\(name) is no package that can be exported.",
                    why:
                        "Outsiders depend on the pairs and libraries that have a version, not on apps and tools.",
                    mend: "Name some of: \(known)")
            }
            waiting += chosen
        }
        while let package = waiting.popLast() {
            guard found[package.name] == nil else { continue }
            let exported = try Self.exported(package, versions)
            guard exported.version.major < Requirement.endOfVersions else {
                throw EditError(
                    .usage, at: "VERSIONS.md", "\(package.name) is \(exported.version).",
                    why: "Exported floors reach up to \(Requirement.endOfVersions).0.0.",
                    mend: "Number versions from 1.0.0 on.")
            }
            found[package.name] = exported
            waiting += package.manifest.dependencies.filter { $0.path != nil }.compactMap {
                tree.package($0.identity)
            }
            if let imp = exported.imp { waiting += tree.package(imp.name).map { [$0] } ?? [] }
        }
        byName = found
        packages = found.values.sorted { $0.name < $1.name }
    }

    /// The package of that name, or nil when it is not in this run.
    func package(_ name: String) -> ExportedPackage? { byName[name] }

    private static func exported(
        _ package: LocalPackage, _ versions: VersionsFile
    ) throws(EditError) -> ExportedPackage {
        func notes(upTo version: SemanticVersion) -> [VersionsFile.Note] {
            versions.section(of: package.pairName)?.notes.filter { $0.version <= version } ?? []
        }
        let row = versions.row(of: package.pairName)
        switch package.role {
        case .imp:
            if let row {
                let owner = if case .of(let other) = row.api { other } else { row.module }
                return ExportedPackage(
                    source: package, version: row.imp, notes: [], imp: nil, api: owner + "Api")
            }
        case .api:
            if let row, let version = row.api.version {
                return ExportedPackage(
                    source: package, version: version, notes: notes(upTo: version),
                    imp: .init(name: row.module, floor: row.floor))
            }
        case .plain, .facade:
            if let library = versions.library(package.name) {
                return ExportedPackage(
                    source: package, version: library.version, notes: notes(upTo: library.version), imp: nil)
            }
        case .app, .other: break
        }
        throw EditError(
            .usage, at: package.manifestPath, "\(package.name) has no version in VERSIONS.md.",
            why: "Outsiders depend on versions.", mend: "Write its row there, and a change note.")
    }
}
