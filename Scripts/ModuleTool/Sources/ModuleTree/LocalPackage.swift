import ModuleFacts
import ModuleKit

/// A package of the tree. A class, so that rules can pass packages around without copying them.
package final class LocalPackage: Sendable {
    /// The index of the package in ``Tree/packages``.
    package let index: Int
    /// The folder of the package, relative to the root; "" for the root package.
    package let path: String
    package let manifest: Manifest
    package let layer: Layer?
    package let role: PackageRole
    package let targets: [LocalTarget]

    /// The name of the folder; for the root package, the name of the tree. SwiftPM and people identify the package by
    /// this name.
    package let name: String

    /// The name that both halves of a pair share; the package's own name if it is not an Api.
    package let pairName: String
    /// The name of the pair's Api.
    package let apiName: String
    /// The name of the type that registers an IMP.
    package let moduleType: String

    init(
        index: Int, path: String, name: String, manifest: Manifest, layer: Layer?, role: PackageRole,
        configuration: Configuration?, targets: [LocalTarget]
    ) {
        (self.index, self.path, self.manifest, self.layer, self.role) = (index, path, manifest, layer, role)
        self.targets = targets
        self.name = name
        let conventions = configuration ?? Configuration()
        pairName = role == .api ? String(name.dropLast(conventions.apiSuffix.count)) : name
        (apiName, moduleType) = (conventions.api(pairName), conventions.moduleType(pairName))
    }

    /// A string literal that is the value of `version` in an IMP's module type.
    package struct VersionLiteral: Sendable {
        package let text: String
        package let file: SourceFile
        /// The position of the name `version`.
        package let position: Position

        package var place: SourcePlace { file.place(position) }
    }

    package var versionLiterals: [VersionLiteral] {
        targets.filter { $0.kind != .test }.flatMap(\.files).flatMap { file in
            file.facts.declarations.compactMap { declaration in
                guard let text = declaration.literal, declaration.name == "version",
                    declaration.parent == moduleType
                else { return nil }
                return VersionLiteral(text: text, file: file, position: declaration.position)
            }
        }
    }

    package var manifestPath: String { PathText.manifest(in: path) }

    /// Whether the package is released by itself, not as half of a pair.
    package var isLibrary: Bool { role == .plain || role == .facade }

    /// Whether the package is a library that may use third-party packages. Only apps that opt in link it.
    package var isAdapter: Bool { isLibrary && layer?.allow.contains(Denial.thirdParty) == true }

    /// All targets except tests, other targets in the folder of the tests, and the fakes of an Api.
    package var mainTargets: [LocalTarget] {
        targets.filter { target in !isForTests(target) && !fakes.contains { $0 === target } }
    }

    /// Whether a target is a test, or stands in the folder of the tests, as previews do.
    package func isForTests(_ target: LocalTarget) -> Bool {
        target.kind == .test || target.folder.hasPrefix(path.isEmpty ? "Tests/" : path + "/Tests/")
    }

    /// The files of these targets.
    package var sources: [SourceFile] { mainTargets.flatMap(\.files) }

    /// The target with the fakes of an Api, if the package is an Api that has one.
    package var fakes: [LocalTarget] {
        role == .api ? targets.filter { $0.name == name + Self.fakesSuffix } : []
    }

    package static let fakesSuffix = "Fakes"
}

/// A target of a local package, with the files that it compiles.
package final class LocalTarget: Sendable {
    package let declaration: Manifest.Target
    /// The name that sources import: `my_kit` for the target `my-kit`.
    package let module: String
    /// The folder of the sources.
    package let folder: String
    package let files: [SourceFile]

    init(_ declaration: Manifest.Target, folder: String, files: [SourceFile]) {
        (self.declaration, self.folder, self.files) = (declaration, folder, files)
        module = ModuleIdentifier.of(declaration.name)
    }

    package var name: String { declaration.name }
    package var kind: Manifest.TargetKind { declaration.kind }
    package var dependencies: [Manifest.TargetDependency] { declaration.dependencies }

    /// The imports of the files, each with its file.
    package var imports: [(file: SourceFile, import: SourceFacts.Import)] {
        files.flatMap { file in file.facts.imports.map { (file, $0) } }
    }

    /// The imports of the modules that are named after these products.
    package func imports(ofProducts names: [String]) -> [SourcePlace] {
        let modules = Set(names.map(ModuleIdentifier.of))
        return imports.filter { modules.contains($1.module) }.map { $0.place($1.position) }
    }

    /// The place that declares a dependency, or else the place of the target.
    package func place(of dependency: Manifest.TargetDependency, in package: LocalPackage) -> SourcePlace {
        (dependency.position ?? declaration.position).in(package.manifestPath)
    }
}

package final class SourceFile: Sendable {
    package let path: String
    package let facts: SourceFacts

    init(path: String, facts: SourceFacts) { (self.path, self.facts) = (path, facts) }

    package func place(_ position: Position) -> SourcePlace { position.in(path) }
}
