import ModuleRules
import ModuleTree

/// The part of an app's package that `modules focus` keeps: the app, some of its pairs, and their tests.
struct Focus {
    /// The package of the app, which lists its pairs.
    let package: LocalPackage
    /// The IMPs that stay, sorted by path: the named ones and, with `callers`, the IMPs that call them.
    let imps: [LocalPackage]
    /// The targets of the app's package that stay, in its order, each with the dependencies that stay.
    let targets: [(target: LocalTarget, dependencies: [Manifest.TargetDependency])]
    /// The files that this selection depends on, relative to the root. Some may not exist.
    let sources: [String]

    private let tree: Tree

    /// - Parameter callers: Whether the pairs that call the named ones stay too.
    init(on names: [String], callers: Bool, in tree: Tree) throws {
        let all = tree.packages.filter { $0.role == .imp }
        let named = try names.map { name in
            guard let imp = all.first(where: { $0.name == name }) else {
                throw Diagnostic(
                    .configuration, "\(name) is not a pair of this tree",
                    why: "a focus is an app with some of its pairs",
                    fix: Spelling.choice(for: name, among: all.map(\.name)))
            }
            return imp
        }
        let apps = tree.names.apps.compactMap { app in tree.package(in: app.folder).map { (app, $0) } }
        guard
            let (app, package) = apps.first(where: { app in named.allSatisfy { tree.declares(app.1, $0) } })
        else {
            throw Diagnostic(
                .configuration, "no app depends on \(names.joined(separator: " and "))",
                why: "a focus is an app with some of its pairs",
                fix: "add the pairs to the list in the manifest of one app")
        }
        let apis = named.compactMap(tree.api)
        let imps = all.filter { imp in
            // An alternative depends on the Api that it implements, but does not call it.
            let calls = { api in tree.declares(imp, api) && tree.api(of: imp) !== api }
            return named.contains { $0 === imp } || callers && apis.contains(where: calls)
        }
        /// Whether a target still needs a dependency. Apps declare all Apis, and tests declare all libraries, but their
        /// files import only a few of them.
        func keeps(_ dependency: Manifest.TargetDependency, of target: LocalTarget) -> Bool {
            guard let owner = tree.package(owning: dependency, of: package), owner !== package,
                target.kind == .test || owner.role == .api || owner.role == .imp, !dependency.isPlugin,
                !imps.contains(where: { $0 === owner })
            else { return true }
            let modules = owner.targets.map(\.module)
            // The app imports an IMP with a trait only if the trait is on.
            return (owner.role != .imp || dependency.traits.isEmpty)
                && target.imports.contains { modules.contains($0.import.module) }
        }
        let tested = imps.flatMap { [$0.name, $0.apiName] }
        targets = package.targets.filter { target in
            target.kind == .test
                ? tree.owner(ofFolder: target.folder).map { tested.contains($0.name) } == true
                : !tree.isOfProject(target)
        }.map { target in (target, target.dependencies.filter { keeps($0, of: target) }) }
        // The manifests of all pairs determine which pairs call the named ones.
        sources =
            [package.manifestPath, app.registrations, Configuration.path]
            + (callers ? all.map(\.manifestPath) : [])
        (self.tree, self.package, self.imps) = (tree, package, imps)
    }

    /// The values of the placeholders in the statements that follow the app's manifest.
    var values: [String: String] {
        let (keptTraits, onTraits, ownTraits) = traits
        return [
            "Targets": targets.map { target, dependencies in
                "        \"\(target.name)\": (\"\(target.folder)\", \(dependencies.map(\.name))),\n"
            }.joined(),
            "Packages": "\(packages)", "Folder": package.path.isEmpty ? "" : package.path + "/",
            "OwnTraits": "\(ownTraits.sorted())", "Traits": "\(keptTraits.sorted())",
            "DefaultTraits": "\(onTraits.sorted())",
        ]
    }

    /// The identities of the packages that the remaining targets use.
    private var packages: [String] {
        let used = targets.flatMap(\.dependencies)
        let owners = Set(used.compactMap { tree.package(owning: $0, of: package)?.index })
        let remote = Set(used.flatMap { tree.identities(of: $0, in: package) })
        return package.manifest.dependencies.filter { dependency in
            tree.package(reachedBy: dependency, of: package).map { owners.contains($0.index) }
                ?? (dependency.path != nil || remote.contains(dependency.identity))
        }.map(\.identity)
    }

    /// The traits that stay, the traits that are on by default, and the IMPs that get a trait of their own, because they
    /// share one with an IMP that is left out.
    private var traits: (kept: Set<String>, on: Set<String>, own: Set<String>) {
        let links = package.targets.filter { $0.kind != .test }.flatMap(\.dependencies).compactMap {
            dependency in
            tree.package(owning: dependency, of: package).map { (imp: $0, traits: dependency.traits) }
        }.filter { $0.imp.role == .imp }
        let kept = links.filter { link in imps.contains { $0 === link.imp } }
        let gone = Set(links.filter { link in !imps.contains { $0 === link.imp } }.flatMap(\.traits))
        let own = Set(kept.filter { !$0.traits.isDisjoint(with: gone) }.map(\.imp.name))
        // If both an IMP and its alternative stay, the trait of the alternative is off.
        let on = kept.filter { link in
            !imps.contains { $0 !== link.imp && $0.name == tree.alternative(of: link.imp)?.pairName }
        }.flatMap { $0.traits.isDisjoint(with: gone) ? $0.traits : [$0.imp.name] }
        return (
            package.manifest.traits.subtracting(gone).union(own),
            package.manifest.defaultTraits.subtracting(gone).union(on), own
        )
    }
}
