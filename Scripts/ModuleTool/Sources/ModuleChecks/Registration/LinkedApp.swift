import ModuleFacts
import ModuleKit
import ModuleRules
import ModuleTree

/// An app built with one selection of its traits, and everything that the app links, registers and requests.
struct LinkedApp: Sendable {
    /// The traits that an app is built with, which select its IMPs.
    struct Selection: Sendable, Hashable {
        /// The name in messages: "the default traits", or the alternative IMP and the IMP that it replaces.
        let name: String
        let traits: Set<String>
    }

    /// A registration or request of an Api, or a call that instantiates a module type.
    struct Use: Sendable {
        /// The type's name, qualified with the module that declares it.
        let type: String
        let place: SourcePlace
        /// What decides at run time whether the call is executed.
        var branch: String?
        var condition: Condition
        let kind: SourceFacts.ApiUse.Kind
        let package: LocalPackage
        /// Whether the call is in code that runs when the app starts.
        var isAtLaunch = true
    }

    let target: LocalTarget
    let package: LocalPackage
    let selection: Selection

    /// The linked targets, each with its package.
    let modules: [(target: LocalTarget, package: LocalPackage)]

    let registrations: [Use]
    /// The protocols that the app's modules have to register, each with the place of the module type.
    let duties: [Use]
    /// The other calls to the registry.
    let uses: [Use]

    var requests: [Use] { uses.filter(\.kind.isRequest) }

    /// Every app of a tree, once for each selection of its traits.
    static func all(in tree: Tree, _ types: TypeNames) -> [LinkedApp] {
        // An Xcode app may register its pairs in a library; the rules then treat the library as an app.
        tree.packages.filter { $0.role == .app }.flatMap { package in
            apps(of: package, in: tree).flatMap { target in
                selections(of: target, in: package, tree: tree).map {
                    LinkedApp(target, package, $0, tree, types)
                }
            }
        }
    }

    /// The executables of a package or, in a package without any, the libraries that register pairs for Xcode apps.
    private static func apps(of package: LocalPackage, in tree: Tree) -> [LocalTarget] {
        let executables = package.targets.filter { $0.kind == .executable }
        guard executables.isEmpty else { return executables }
        return tree.names.apps.filter { $0.folder == package.path }.compactMap { $0.target(in: package) }
    }

    /// The default traits and, for each alternative IMP, the default traits with that IMP in place of the
    /// original.
    private static func selections(
        of target: LocalTarget, in package: LocalPackage, tree: Tree
    ) -> [Selection] {
        let usual = package.manifest.defaultTraits
        var selections = [Selection(name: "the default traits", traits: usual)]
        let dependencies = target.withLibraries(of: package).flatMap(\.dependencies)
        for dependency in dependencies where !dependency.traits.isEmpty {
            guard dependency.traits.isDisjoint(with: usual), let imp = tree.package(dependency.name),
                let api = tree.alternative(of: imp)
            else { continue }
            let rivals = dependencies.filter { other in
                tree.package(other.name).flatMap { tree.api(of: $0) }?.name == api.name && other != dependency
            }
            let traits = usual.subtracting(rivals.flatMap(\.traits)).union(dependency.traits)
            selections.append(Selection(name: "\(imp.name) in place of \(api.pairName)", traits: traits))
        }
        return selections
    }

    private init(
        _ target: LocalTarget, _ package: LocalPackage, _ selection: Selection, _ tree: Tree,
        _ types: TypeNames
    ) {
        (self.target, self.package, self.selection) = (target, package, selection)
        // A package is built with its default traits when another package depends on it.
        func traits(of owner: LocalPackage) -> Set<String> {
            owner.path == package.path ? selection.traits : owner.manifest.defaultTraits
        }
        modules = Self.reach(from: target, in: package, tree: tree, traits: traits)
        var installed: [String: [Use]] = [:]
        var found: [Use] = []
        var created: Set<String> = []
        /// The calls of the adapters' module types, each with the type.
        var adapted: [(Use, String)] = []
        let code = Dictionary(grouping: modules, by: \.package.path).mapValues { found in
            LaunchCode(of: found[0].package, found.map(\.target), in: tree)
        }
        for (module, owner) in modules {
            for (file, calls) in types.calls(in: module, of: owner) {
                for call in calls {
                    // Anything may make a request, at any time.
                    let execution =
                        call.kind.isRequest ? nil : code[owner.path]?.execution(of: call, in: file)
                    // Traits are compilation conditions only in the package that declares them.
                    let condition = (execution?.condition ?? call.condition)
                        .deciding(owner.manifest.traits, on: traits(of: owner))
                    guard condition != .not(.always),
                        let type = call.type.map({ types.full($0, in: file, of: module.module) })
                    else { continue }
                    // An app may make its center itself.
                    let center = call.center.flatMap {
                        owner.role == .app && $0.isPassedOn
                            ? nil : "in the center of \($0.position.line):\($0.position.column)"
                    }
                    let use = Use(
                        type: type, place: file.place(call.position),
                        branch: execution?.branch ?? call.branch ?? center,
                        condition: condition, kind: call.kind, package: owner, isAtLaunch: execution != nil)
                    if call.kind == .module {
                        created.insert(type)
                        if owner.role == .app { installed[type, default: []].append(use) }
                    } else if let body = call.body.map({ file.facts.bodies[$0] }), owner.isAdapter,
                        body.name == "register", let parent = body.parent,
                        parent.hasSuffix(tree.names.moduleSuffix)
                    {
                        adapted.append((use, "\(module.module).\(parent)"))
                    } else {
                        found.append(use)
                    }
                }
            }
        }
        // A function that nothing calls creates no module.
        let entries = installed.compactMapValues { uses -> Use? in
            guard var entry = uses.first(where: \.isAtLaunch) ?? uses.first else { return nil }
            if !entry.isAtLaunch { entry.branch = "a function that nothing calls" }
            return entry
        }
        // A module registers its types only if the app creates it.
        found += adapted.filter { created.contains($1) }.map(\.0)
        uses = found.filter { !$0.kind.isRegistration }
        registrations = found.filter { $0.kind.isRegistration && $0.isAtLaunch }.compactMap { use in
            guard use.package.role == .imp else { return use }
            guard let entry = entries["\(use.package.name).\(use.package.moduleType)"] else {
                return nil
            }
            var use = use
            (use.branch, use.condition) = (use.branch ?? entry.branch, use.condition.and(entry.condition))
            return use
        }
        let registered = Set(registrations.map(\.type))
        duties = modules.filter { $0.package.role == .imp && $0.target.name == $0.package.name }
            .compactMap { module, owner in
                entries["\(owner.name).\(owner.moduleType)"].flatMap {
                    Self.duty(of: owner, module, $0, tree, types, registered)
                }
            }
    }

    /// The registration that an installed module owes the app: that of the protocol with the Api's name or, if the Api has
    /// none, of any protocol; nil if the Api has no protocol.
    private static func duty(
        of imp: LocalPackage, _ target: LocalTarget, _ entry: Use, _ tree: Tree, _ types: TypeNames,
        _ registered: Set<String>
    ) -> Use? {
        guard let api = tree.api(of: imp) else { return nil }
        let top = api.declarations.filter { $1.parent == nil }
        let main = top.filter { $1.name == api.name + "Protocol" }
        let protocols = (main.isEmpty ? top.filter { $1.keyword == "protocol" && $1.isPublic } : main).map {
            types.full($1.name, in: $0, of: api.name)
        }
        guard let type = protocols.first(where: registered.contains) ?? protocols.first else { return nil }
        let place = target.files.lazy.compactMap { file in
            file.facts.declarations.first { $0.parent == nil && $0.name == imp.moduleType }.map {
                file.place($0.position)
            }
        }.first
        return Use(
            type: type, place: place ?? entry.place, branch: entry.branch, condition: entry.condition,
            kind: .module, package: imp)
    }

    private static func reach(
        from target: LocalTarget, in package: LocalPackage, tree: Tree, traits: (LocalPackage) -> Set<String>
    ) -> [(target: LocalTarget, package: LocalPackage)] {
        var found = [target.module: (target, package)]
        return reachable(from: [target.module]) { module in
            guard let (current, owner) = found[module] else { return [] }
            let modules = current.dependencies.filter { $0.isOn(with: traits(owner)) }.flatMap {
                tree.modules(of: $0, in: owner)
            }
            for module in modules where found[module] == nil {
                guard let other = tree.package(ofModule: module, for: owner) else { continue }
                found[module] = other.targets.first { $0.module == module }.map { ($0, other) }
            }
            return modules
        }.compactMap { found[$0] }
    }
}

extension Manifest.TargetDependency {
    /// Whether a build with these traits has the dependency.
    func isOn(with traits: Set<String>) -> Bool {
        self.traits.isEmpty || !self.traits.isDisjoint(with: traits)
    }
}

private enum LinkedApps: Derived {
    static func value(in context: RuleContext) throws -> [LinkedApp] {
        context.tree.hasPairs ? LinkedApp.all(in: context.tree, try context.types) : []
    }
}

extension RuleContext {
    /// Every app, once for each selection of its traits.
    var apps: [LinkedApp] { get throws { try value(of: LinkedApps.self) } }
}
