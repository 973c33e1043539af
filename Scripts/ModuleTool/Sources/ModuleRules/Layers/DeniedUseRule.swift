import ModuleTree

/// A layer uses nothing that the configuration denies it.
struct DeniedUseRule: Rule {
    let id = "denied-use"
    let group = RuleGroup.layers
    let subject = RuleSubject.layered
    let why =
        "each layer may use only what its purpose needs; \(Configuration.path) gives the reason for each denial"
    let explanation = """
        In \(Configuration.path), the list `deny` names what no layer may use, and the `deny` of a layer names \
        what that layer may not use. The `allow` of a layer lifts denials that apply to all layers. \
        `third-party` means packages that come from a URL or a registry, except ApiCenter and Lifecycle, and \
        applies to tests too. All other denials apply to all targets except tests: `test-support` means the \
        modules for tests, and any other word is the name of a layer, a package or a module, which may be a \
        module of the toolchain. A module for tests may use other modules for tests. An app that is not in \
        `apps` chooses its own dependencies, and no other app gets them, so only the `deny` of its layer \
        applies to it. The rule api-alone reports every dependency of an Api.

        Breaks it:  .package(url: "https://github.com/apple/swift-log", from: "1.0.0") in Packages/Base/Routes
        Fix it:     move the code that needs the package to Packages/Adapters, behind a protocol.
        """

    func findings(in context: RuleContext) -> [Finding] {
        guard let configuration = context.tree.configuration else { return [] }
        return context.tree.packages.flatMap { package -> [Finding] in
            guard let layer = package.layer, package.role != .api else { return [] }
            let asksForItself =
                package.role == .app && !configuration.apps.contains { $0.folder == package.path }
            return (asksForItself ? layer.deny : configuration.denials(in: layer)).flatMap { denial in
                uses(of: denial, in: package, layer, context.tree).map { use in
                    Finding(
                        rule: id, place: use.places[0],
                        what: "\(use.user) (\(layer.name)) uses \(use.name)"
                            + (use.name == denial.use ? "" : " (\(denial.use))"),
                        why: denial.reason,
                        fix: "remove the dependency, or allow \(denial.use) for \(layer.name) in "
                            + Configuration.path,
                        notes: use.places.dropFirst().prefix(5).map { .init($0, "also used here") })
                }
            }
        }
    }

    /// A denied name that a package or one of its targets uses, with at least one place.
    private struct Use {
        let user: String
        let name: String
        let places: [SourcePlace]
    }

    private func uses(
        of denial: Denial, in package: LocalPackage, _ layer: Layer, _ tree: Tree
    ) -> [Use] {
        if denial.use == Denial.thirdParty {
            return package.manifest.dependencies.filter {
                $0.path == nil && !["apicenter", "lifecycle"].contains($0.identity)
            }.map { dependency in
                Use(
                    user: package.name, name: dependency.identity,
                    places: [dependency.position.in(package.manifestPath)])
            }
        }
        /// Whether a denial is about a module or a product, given the local package that provides it.
        func isDenied(_ name: String, of owner: LocalPackage?) -> Bool {
            if denial.use == Denial.testSupport { return tree.names.isTestSupport(name) }
            if let other = owner?.layer, other.name == denial.use { return other != layer }
            return name == denial.use || owner?.name == denial.use
        }
        return package.mainTargets.flatMap { target -> [Use] in
            if denial.use == Denial.testSupport, tree.names.isTestSupport(target.name) { return [] }
            var places: [String: [SourcePlace]] = [:]
            for dependency in target.dependencies {
                let owner = tree.package(owning: dependency, of: package)
                let isRemote = dependency.package?.lowercased() == denial.use.lowercased()
                guard isRemote || isDenied(dependency.name, of: owner) else { continue }
                let position = dependency.position ?? target.declaration.position
                places[dependency.name, default: []].append(position.in(package.manifestPath))
            }
            for file in target.files {
                for imported in file.facts.imports where imported.module != target.module {
                    let owner = tree.package(ofModule: imported.module, for: package)
                    guard isDenied(imported.module, of: owner) else { continue }
                    places[imported.module, default: []].append(file.place(imported.position))
                }
            }
            return places.sorted { $0.key < $1.key }.map { Use(user: target.name, name: $0, places: $1) }
        }
    }
}
