import ModuleKit
import ModuleTree

/// What `modules focus` puts into one package: an app with all its pairs or with some of them, and their tests.
package struct Focus {
    /// The package of the app, which lists its pairs.
    package let package: LocalPackage
    /// The pairs of the focus, sorted by path; nil for all packages of the app.
    package let imps: [LocalPackage]?
    /// The targets that the focus contains because of this choice. It also contains the targets that these need.
    let roots: [TargetGraph.Node]
    /// The traits of the app that are enabled.
    let traits: Set<String>
    /// The file that registers the app's modules, relative to the root. It may not exist.
    let registrations: String
    /// The packages whose manifests the choice depends on.
    let deciding: [LocalPackage]

    let tree: Tree
    /// The packages of the tree that the app and the pairs of the focus depend on, by identity.
    private let local: [String: LocalPackage]
    /// The IMPs that the app links although they share a trait with IMPs that it does not link. The trait of such an IMP
    /// has the IMP's name.
    private let ownTraits: Set<String>

    /// A focus on the first app and on all packages that it depends on.
    init(onAllIn tree: Tree) throws {
        guard let (app, package) = Self.apps(of: tree).first else {
            throw Diagnostic(
                .configuration, "the tree has no app", why: "A focus is an app with its pairs.",
                fix: "Name the app's manifest in \(Configuration.path).")
        }
        (self.tree, self.package, imps, ownTraits) = (tree, package, nil, [])
        let all = tree.dependencies(of: package)
        local = Self.byIdentity(all, in: tree)
        roots = all.flatMap { owner in
            owner.targets.filter { owner === package || $0.kind != .executable }.map {
                .init(package: owner, target: $0)
            }
        }
        traits = package.manifest.defaultTraits
        (registrations, deciding) = (app.registrations, [package])
    }

    /// A focus on some pairs.
    ///
    /// - Parameters:
    ///   - callers: Whether the pairs that call the named ones belong to the focus too.
    init(on names: [String], callers: Bool, in tree: Tree) throws {
        let all = tree.packages.filter { $0.role == .imp }
        let named = try names.map { name in
            guard let imp = all.first(where: { $0.name == name }) else {
                throw Diagnostic(
                    .configuration, "\(name) is not a pair of this tree", why: "A focus contains pairs only.",
                    fix: Spelling.choice(for: name, among: all.map(\.name)))
            }
            return imp
        }
        let apps = Self.apps(of: tree)
        guard
            let (app, package) = apps.first(where: { app in named.allSatisfy { tree.declares(app.1, $0) } })
        else {
            throw Diagnostic(
                .configuration, "no app depends on \(names.joined(separator: " and "))",
                why: "A focus is an app with some of its pairs.",
                fix: "Add the pairs to the list in the manifest of one app.")
        }
        let apis = named.compactMap(tree.api)
        let imps = all.filter { imp in
            // An alternative depends on the Api that it implements, but does not call it.
            let calls = { api in tree.declares(imp, api) && tree.api(of: imp) !== api }
            return named.contains { $0 === imp } || callers && apis.contains(where: calls)
        }
        (self.tree, self.package, self.imps) = (tree, package, imps)
        (traits, ownTraits) = Self.traits(of: package, for: imps, in: tree)
        let tested = Set(imps.flatMap { [$0.name, $0.apiName] })
        let ofApp = package.targets.filter { target in
            target.kind != .test
                || tree.owner(ofFolder: target.folder).map { tested.contains($0.name) } == true
        }
        let ofPairs = tree.packages.filter { [.api, .imp].contains($0.role) && tested.contains($0.name) }
        roots =
            ofApp.map { .init(package: package, target: $0) }
            + ofPairs.flatMap { owner in owner.targets.map { .init(package: owner, target: $0) } }
        // Also those that only the pairs depend on, which may belong to another app.
        local = Self.byIdentity(
            ([package] + ofPairs).flatMap { tree.dependencies(of: $0) }, in: tree)
        // The manifests of all pairs determine which pairs call the named ones.
        (registrations, deciding) = (app.registrations, [package] + (callers ? all : []))
    }

    private static func byIdentity(_ packages: [LocalPackage], in tree: Tree) -> [String: LocalPackage] {
        Dictionary(packages.map { (tree.identity(of: $0).lowercased(), $0) }) { first, _ in first }
    }

    private static func apps(of tree: Tree) -> [(Configuration.App, LocalPackage)] {
        tree.names.apps.compactMap { app in tree.package(in: app.folder).map { (app, $0) } }
    }

    /// The package of the tree that SwiftPM takes for a dependency, if any. A local package that the app depends on also
    /// replaces each remote package with its identity.
    func package(for dependency: Manifest.Dependency, of package: LocalPackage) -> LocalPackage? {
        tree.package(reachedBy: dependency, of: package)
            ?? (dependency.path == nil ? local[dependency.identity] : nil)
    }

    /// The packages of the tree that replace remote packages on which a package depends.
    func replacements(in package: LocalPackage) -> [LocalPackage] {
        package.manifest.dependencies.compactMap { $0.path == nil ? local[$0.identity] : nil }
    }

    /// The packages of the tree that SwiftPM may need for the focus: those of the roots, such as callers that the app does
    /// not declare, and their dependencies.
    package var packages: [LocalPackage] { dependencies(of: [package] + roots.map(\.package)) }

    /// Packages and all packages of the tree that SwiftPM takes for their dependencies, directly or indirectly.
    func dependencies(of packages: [LocalPackage]) -> [LocalPackage] {
        reachable(from: Set(packages.map(\.index)).sorted()) { index in
            let user = tree.packages[index]
            return user.manifest.dependencies.compactMap { self.package(for: $0, of: user)?.index }
        }.map { tree.packages[$0] }
    }

    /// The package of the tree that provides a target's dependency; nil if none does.
    func owner(of dependency: Manifest.TargetDependency, in package: LocalPackage) -> LocalPackage? {
        tree.package(owning: dependency, of: package).flatMap { local[tree.identity(of: $0).lowercased()] }
    }

    /// Whether a target needs a dependency. In a focus on some pairs, an app declares all Apis and tests declare all
    /// libraries, but their files import only a few of them.
    func keeps(_ dependency: Manifest.TargetDependency, of target: LocalTarget, in package: LocalPackage)
        -> Bool
    {
        guard package === self.package, let imps, let owner = owner(of: dependency, in: package),
            owner !== package
        else { return true }
        if imps.contains(where: { $0 === owner }) { return true }
        guard target.kind == .test || owner.role == .api || owner.role == .imp, !dependency.isPlugin else {
            return true
        }
        let modules = owner.targets.map(\.module)
        // The app imports an IMP with a trait only if the trait is on.
        return (owner.role != .imp || dependency.traits.isEmpty)
            && target.imports.contains { modules.contains($0.import.module) }
    }

    /// Whether the enabled traits of a package enable a dependency of one of its targets.
    func enables(
        _ dependency: Manifest.TargetDependency, in package: LocalPackage, with enabled: Set<String>
    ) -> Bool {
        guard !dependency.traits.isEmpty, dependency.traits.isDisjoint(with: enabled) else { return true }
        let owner = package === self.package ? owner(of: dependency, in: package) : nil
        return owner.map { ownTraits.contains($0.name) } ?? false
    }

    /// The traits that are on in a focus on some pairs, and those that are an IMP's own, because the IMP shares its trait
    /// with one that is left out.
    private static func traits(
        of package: LocalPackage, for imps: [LocalPackage], in tree: Tree
    ) -> (on: Set<String>, own: Set<String>) {
        let links = package.targets.filter { $0.kind != .test }.flatMap(\.dependencies).compactMap {
            dependency in
            tree.package(owning: dependency, of: package).map { (imp: $0, traits: dependency.traits) }
        }.filter { $0.imp.role == .imp }
        let gone = Set(links.filter { link in !imps.contains { $0 === link.imp } }.flatMap(\.traits))
        // If both an IMP and its alternative stay, the trait of the alternative is off.
        let kept = links.filter { link in
            imps.contains { $0 === link.imp }
                && !imps.contains { $0 !== link.imp && $0.name == tree.alternative(of: link.imp)?.pairName }
        }
        let own = Set(kept.filter { !$0.traits.isDisjoint(with: gone) }.map(\.imp.name))
        let on = kept.filter { $0.traits.isDisjoint(with: gone) }.flatMap(\.traits)
        return (package.manifest.defaultTraits.subtracting(gone).union(on).union(own), own)
    }
}
