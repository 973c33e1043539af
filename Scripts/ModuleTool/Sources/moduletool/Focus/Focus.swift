import ModuleRules
import ModuleTree

/// The part of an app's package that `modules focus` keeps: the app, some of its pairs, and their tests.
struct Focus {
    /// The package of the app, which lists its pairs.
    let package: LocalPackage
    /// The IMPs that stay, sorted by path: the named ones and, with `callers`, the IMPs that call them.
    let imps: [LocalPackage]
    /// The targets of the app's package that stay, in its order, each with the dependencies that stay.
    private(set) var targets: [(target: LocalTarget, dependencies: [Manifest.TargetDependency])] = []
    /// The files that this selection depends on, relative to the root.
    let sources: [String]

    private let tree: Tree

    /// - Parameter callers: Whether the pairs that call the named ones stay too.
    init(on names: [String], callers: Bool, in tree: Tree) throws {
        let all = tree.packages.filter { $0.role == .imp }
        let named = try names.map { name in
            guard let imp = all.first(where: { $0.name == name }) else {
                throw Self.unknown(name, among: all, in: tree)
            }
            return imp
        }
        let apis = Set(named.compactMap { tree.api(of: $0)?.index })
        let edges = PackageGraph(tree).outgoing
        let isCaller = { (imp: LocalPackage) in
            // An alternative depends on the Api that it implements, but does not call it.
            edges[imp.index].contains { apis.contains($0.to) && $0.to != tree.api(of: imp)?.index }
        }
        imps = all.filter { imp in named.contains { $0 === imp } || callers && isCaller(imp) }
        let isLinked = { (package: LocalPackage) in
            package.targets.flatMap(\.dependencies).contains { dependency in
                named.contains { $0 === tree.package(owning: dependency, of: package) }
            }
        }
        let apps = tree.names.apps.compactMap { app in
            tree.packages.first { $0.manifestPath == app.manifest }.map { (app, $0) }
        }
        guard let (app, package) = apps.first(where: { isLinked($0.1) }) else {
            throw Diagnostic(
                .configuration, at: apps.first?.0.manifest ?? Configuration.path,
                "no app depends on \(names.joined(separator: ", "))",
                why: "a focus is an app's package with only the named pairs",
                fix: "add the pair to the list in the app's manifest, or test it alone: swift test "
                    + "--package-path \(named.first?.path ?? "")")
        }
        (self.tree, self.package) = (tree, package)
        sources =
            [package.manifestPath, app.registrations]
            + (tree.configuration == nil ? [] : [Configuration.path])
            // The manifests of all pairs determine which pairs call the named ones.
            + (callers ? all.map(\.manifestPath) : [])
        try select()
    }

    private static func unknown(_ name: String, among imps: [LocalPackage], in tree: Tree) -> Diagnostic {
        let fix =
            switch tree.package(name) {
            case nil: Spelling.choice(for: name, among: imps.map(\.name))
            case let api? where api.role == .api: "modules focus \(api.pairName) --callers"
            case let other?: "to test a package alone: swift test --package-path \(other.path)"
            }
        return Diagnostic(
            .configuration, "\(name) is not a pair of this tree",
            why: "a focus is an app with some of its pairs", fix: fix)
    }

    // MARK: Targets

    private mutating func select() throws {
        let packages = Set(imps.flatMap { [$0.index, tree.package($0.apiName)?.index ?? $0.index] })
        let all = package.targets.filter { !tree.isOfProject($0) }.map {
            ($0, libraries: $0.withLibraries(of: package))
        }
        let linking = Set(package.targets.filter { $0.dependencies.contains { imp($0) != nil } }.map(\.name))
        let chosen = all.filter { target, libraries in
            target.kind == .test
                ? tree.owner(ofFolder: target.folder).map { packages.contains($0.index) } == true
                : libraries.contains { linking.contains($0.name) }
        }
        let names = Set(chosen.flatMap(\.libraries).map(\.name))
        let kept = package.targets.filter { names.contains($0.name) }
        for target in kept { try refuseImport(of: target) }
        targets = kept.map { target in
            (target, target.dependencies.filter { keeps($0, of: target, targets: names) })
        }
    }

    private func imp(_ dependency: Manifest.TargetDependency) -> LocalPackage? {
        tree.package(owning: dependency, of: package).flatMap { $0.role == .imp ? $0 : nil }
    }

    /// Refuses a target that imports an IMP that is left out although the target's dependency on it has no trait.
    private func refuseImport(of target: LocalTarget) throws(Diagnostic) {
        let needed = target.dependencies.filter(\.traits.isEmpty).compactMap(imp)
        for imp in needed where !imps.contains(where: { $0 === imp }) {
            let modules = imp.targets.map(\.module)
            guard let (file, used) = target.imports.first(where: { modules.contains($1.module) }) else {
                continue
            }
            throw Diagnostic(
                .configuration, at: file.place(used.position),
                "\(target.name) imports \(imp.name), which no trait leaves out",
                why: "a focus without \(imp.name) would not compile", fix: "also pass \(imp.name)")
        }
    }

    /// Whether a target still needs a dependency. Apps declare all Apis, and tests declare all libraries, but their
    /// files import only a few of them.
    private func keeps(
        _ dependency: Manifest.TargetDependency, of target: LocalTarget, targets: Set<String>
    ) -> Bool {
        guard let owner = tree.package(owning: dependency, of: package) else { return true }
        if owner === package { return targets.contains(dependency.name) }
        if owner.role == .imp { return imps.contains { $0 === owner } }
        guard owner.role == .api || target.kind == .test else { return true }
        let modules = Set(owner.targets.map(\.module))
        return target.files.contains { file in file.facts.imports.contains { modules.contains($0.module) } }
    }

    /// The products of the app's package that stay.
    var products: [String] {
        let names = Set(targets.map(\.target.name))
        return package.manifest.products.filter { names.isSuperset(of: $0.targets) }.map(\.name)
    }

    /// The dependencies of the app's package that stay.
    var dependencies: [Manifest.Dependency] {
        let used = targets.flatMap(\.dependencies)
        let owners = used.map { tree.package(owning: $0, of: package) }
        return package.manifest.dependencies.filter { dependency in
            if let local = tree.package(reachedBy: dependency, of: package) {
                return owners.contains { $0 === local }
            }
            // The package is outside the tree.
            return zip(used, owners).contains { use, owner in
                let name = use.package?.lowercased() ?? dependency.identity
                return owner == nil && [dependency.identity, dependency.alias?.lowercased()].contains(name)
            }
        }
    }

    // MARK: Traits

    /// The IMPs that each trait adds to the app.
    private var groups: [String: Set<String>] {
        package.targets.flatMap(\.dependencies).reduce(into: [:]) { groups, dependency in
            guard let imp = imp(dependency) else { return }
            for trait in dependency.traits { groups[trait, default: []].insert(imp.name) }
        }
    }

    /// The IMPs that stay and have a trait, each with its trait. An IMP that shares its trait with others gets a
    /// trait of its own.
    var traits: [(imp: LocalPackage, trait: String, isShared: Bool)] {
        let groups = groups
        return imps.compactMap { imp in
            guard let group = groups.first(where: { $0.value.contains(imp.name) }) else { return nil }
            let isShared = group.value.count > 1
            return (imp, isShared ? imp.name : group.key, isShared)
        }
    }

    /// The traits of the app's package that belong to no pair.
    var otherTraits: Set<String> { package.manifest.traits.subtracting(groups.keys) }

    /// The traits that are on by default. If both an IMP and its alternative stay, the trait of the alternative is
    /// off.
    var defaultTraits: Set<String> {
        let own = traits.filter { imp, _, _ in
            !imps.contains { $0 !== imp && $0.name == tree.alternative(of: imp)?.pairName }
        }
        return package.manifest.defaultTraits.intersection(otherTraits).union(own.map(\.trait))
    }
}
