import Foundation
import ModuleFacts
import ModuleTree

extension Tree {
    /// The libraries that an Api shows to its callers: those that it imports, and those whose types such a library shows.
    /// Empty for other packages.
    func libraries(shownBy api: LocalPackage) throws -> [LocalPackage] {
        guard api.role == .api, !names.apiImports.isEmpty else { return [] }
        var shown = apiLibraries(of: api)
        var next = shown[...]
        while let library = next.popFirst() {
            let surface = try surface(of: library)
            for dependency in library.manifest.dependencies {
                guard let other = package(reachedBy: dependency, of: library), other.isLibrary,
                    !shown.contains(where: { $0 === other }), try surface.shows(self.surface(of: other))
                else { continue }
                shown.append(other)
                next.append(other)
            }
        }
        return shown
    }

    private func surface(of library: LocalPackage) throws -> ApiSurface {
        try ApiSurface(module: library.name, contents(of: library.sources.map(\.path)))
    }
}

extension PastReader.State {
    /// Whether the manifest of that time declares a package.
    func depends(on package: LocalPackage) -> Bool {
        old.manifest.dependencies.contains { $0.identity == package.name.lowercased() }
    }
}

extension [PackageChange] {
    /// The changes, where an Api's change includes the breaks of the libraries that the Api shows.
    func joined(in tree: Tree) -> Self {
        var joined = filter { $0.package.name == $0.release.name }
        for library in self where library.package.name != library.release.name {
            guard !library.surface.breaks.isEmpty, let api = tree.package(library.release.name) else {
                continue
            }
            let index = joined.firstIndex {
                $0.release.name == library.release.name && $0.base.commit == library.base.commit
            }
            if let index {
                joined[index].add(library)
            } else {
                joined.append(library.ofApi(api))
                joined[joined.count - 1].add(library)
            }
        }
        return joined
    }
}
