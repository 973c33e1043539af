import ModuleKit
import ModuleRules
import ModuleTree

extension Rule {
    static let deniedUse = Rule("denied-use", in: .layers, over: \.layered) { package, report in
        guard let configuration = report.tree.configuration, let layer = package.layer, package.role != .api
        else { return }
        let asksForItself = package.role == .app && !configuration.apps.contains { $0.folder == package.path }
        for denial in asksForItself ? layer.deny : configuration.denials(in: layer) {
            for use in uses(of: denial, in: package, layer, report.tree) {
                report(
                    use.places[0],
                    "\(use.user) (\(layer.name)) uses \(use.name)"
                        + (use.name == denial.use ? "" : " (\(denial.use))"),
                    fix:
                        "Remove the dependency, or allow \(denial.use) for \(layer.name) in \(Configuration.path).",
                    notes: use.places.dropFirst().prefix(5).map { .init($0, "also used here") },
                    why: denial.reason, cause: use.places)
            }
        }
    }
}

/// A denied name that a package or one of its targets uses, with at least one place.
private struct DeniedUse {
    let user: String
    let name: String
    let places: [SourcePlace]
}

private func uses(of denial: Denial, in package: LocalPackage, _ layer: Layer, _ tree: Tree) -> [DeniedUse] {
    if denial.use == Denial.thirdParty {
        return package.manifest.dependencies.filter {
            $0.path == nil && !Denial.own.contains($0.identity)
        }.map { dependency in
            DeniedUse(
                user: package.name, name: tree.name(of: dependency, in: package),
                places: [dependency.position.in(package.manifestPath)]
                    + package.targets.flatMap { $0.uses(of: dependency, in: package, tree) })
        }
    }
    /// Whether a denial is about a module or a product, given the local package that provides it.
    func isDenied(_ name: String, of owner: LocalPackage?) -> Bool {
        if denial.use == Denial.testSupport { return tree.names.isTestSupport(name) }
        if let other = owner?.layer, other.name == denial.use { return other != layer }
        return name == denial.use || owner?.name == denial.use
    }
    return package.mainTargets.flatMap { target -> [DeniedUse] in
        if denial.use == Denial.testSupport, tree.names.isTestSupport(target.name) { return [] }
        var places: [String: [SourcePlace]] = [:]
        for dependency in target.dependencies {
            let owner = tree.package(owning: dependency, of: package)
            let isRemote = dependency.package?.lowercased() == denial.use.lowercased()
            guard isRemote || isDenied(dependency.name, of: owner) else { continue }
            places[dependency.name, default: []].append(target.place(of: dependency, in: package))
        }
        for (file, imported) in target.imports where imported.module != target.module {
            for module in tree.modules(visibleThrough: imported.module, for: package)
            where isDenied(module, of: tree.package(ofModule: module, for: package)) {
                places[module, default: []].append(file.place(imported.position))
            }
        }
        return places.sorted { $0.key < $1.key }.map { DeniedUse(user: target.name, name: $0, places: $1) }
    }
}

extension Tree {
    /// A module, and those that it re-exports with `@_exported import`, directly or indirectly.
    fileprivate func modules(visibleThrough module: String, for package: LocalPackage) -> [String] {
        reachable(from: [module]) { module in
            let owner = self.package(ofModule: module, for: package)
            let target = owner?.targets.first { $0.module == module }
            return target?.imports.map(\.import).filter(\.isExported).map(\.module) ?? []
        }
    }
}
