import ModuleKit
import ModuleTree

/// The targets of a focus, and the packages that it cannot merge.
struct FocusTargets {
    /// A dependency of a target in the merged package.
    struct Use: Hashable {
        enum Provider: Hashable {
            case target
            /// A product of a package with this identity.
            case package(String)
            /// A product without the name of its package.
            case unknown
        }

        let name: String
        let provider: Provider
        let isPlugin: Bool
        /// The names of the platforms in PackageDescription; empty for all.
        var platforms: [String]
    }

    struct Target {
        let package: LocalPackage
        let target: LocalTarget
        let uses: [Use]
    }

    /// The targets of the merged package, sorted by the paths of their packages.
    private(set) var targets: [Target] = []
    /// The packages in the tree that stay dependencies, sorted by path, each with the reason.
    private(set) var staying: [(package: LocalPackage, reason: String)] = []
    /// The packages outside the tree that the targets use, each with a package that declares the dependency; sorted by
    /// identity.
    var outside: [(user: LocalPackage, dependency: Manifest.Dependency)] {
        others.values.sorted { $0.dependency.identity < $1.dependency.identity }
    }
    let traits: EnabledTraits
    /// How SwiftPM builds the packages of the targets.
    private(set) var builds: [Int: BuildManifest] = [:]

    private let focus: Focus
    private var reasons: [Int: String] = [:]
    /// The elements of `outside`, by identity.
    private var others: [String: (user: LocalPackage, dependency: Manifest.Dependency)] = [:]
    /// The packages that stay and are used.
    private var used: Set<Int> = []

    private var tree: Tree { focus.tree }

    init(_ focus: Focus) throws {
        self.focus = focus
        var read: [Int: BuildManifest] = [:]
        traits = try EnabledTraits(focus) { package in
            if let build = read[package.index] { return build }
            let build = try focus.tree.buildManifest(of: package)
            read[package.index] = build
            return build
        }
        builds = read
        repeat {
            find()
            try readBuilds()
        } while refuse()
        if let reason = reasons[focus.package.index] {
            throw Diagnostic(
                .configuration, at: focus.package.manifestPath,
                "the app cannot be merged with its packages: \(reason)",
                why: "A focus is one package with the app's targets.",
                fix: "Move what is in the way to a package of its own.")
        }
        // A local package replaces a remote one only if the merged package depends on it too.
        for package in focus.dependencies(of: used.map { tree.packages[$0] }) {
            used.formUnion(focus.replacements(in: package).map(\.index))
        }
        staying = tree.packages.filter { used.contains($0.index) }.map { ($0, reasons[$0.index] ?? "") }
    }

    // MARK: Targets

    /// Finds the targets, given the packages that stay.
    private mutating func find() {
        (targets, others, used) = ([], [:], [])
        var waiting = roots
        var seen = Set(waiting.map { ObjectIdentifier($0.target) })
        while let node = waiting.popLast() {
            var uses: Set<Use> = []
            for dependency in node.target.dependencies
            where focus.enables(dependency, in: node.package, with: traits[node.package])
                && focus.keeps(dependency, of: node.target, in: node.package)
            {
                let (found, next) = self.uses(of: dependency, in: node.package)
                uses.formUnion(found)
                waiting += next.filter { seen.insert(ObjectIdentifier($0.target)).inserted }
            }
            // A dependency on all platforms includes the same one on some.
            let sorted = uses.filter { use in
                var always = use
                always.platforms = []
                return use == always || !uses.contains(always)
            }.sorted { ($0.name, $0.platforms.joined()) < ($1.name, $1.platforms.joined()) }
            targets.append(.init(package: node.package, target: node.target, uses: sorted))
        }
        let order = Dictionary(
            uniqueKeysWithValues: focus.tree.packages.flatMap(\.targets).enumerated().map {
                (ObjectIdentifier($1), $0)
            })
        targets.sort { (order[ObjectIdentifier($0.target)] ?? 0) < (order[ObjectIdentifier($1.target)] ?? 0) }
    }

    /// The targets of the choice that can be merged, each once: the app's package also declares the tests of other
    /// packages, and those of merged packages are their own targets.
    private var roots: [TargetGraph.Node] {
        let found = focus.roots.filter { node in
            reasons[node.package.index] == nil && Self.kinds.contains(node.target.kind)
                && !tree.isOfProject(node.target)
        }
        let folders = Set(found.filter { $0.package !== focus.package }.map(\.target.folder))
        return found.filter { $0.package !== focus.package || !folders.contains($0.target.folder) }
    }

    /// The kinds of targets that can be merged.
    private static let kinds: Set<Manifest.TargetKind> = [.regular, .executable, .test, .macro]

    /// A dependency as dependencies of the merged package's targets, and the targets that it adds.
    private mutating func uses(
        of dependency: Manifest.TargetDependency, in package: LocalPackage
    ) -> ([Use], [TargetGraph.Node]) {
        func use(_ name: String, _ provider: Use.Provider) -> Use {
            Use(
                name: name, provider: provider, isPlugin: dependency.isPlugin,
                platforms: dependency.platforms.compactMap(BuildManifest.platform).sorted())
        }
        guard let owner = focus.owner(of: dependency, in: package) else {
            let wanted = dependency.package?.lowercased()
            let declared = package.manifest.dependencies.filter { found in
                guard focus.package(for: found, of: package) == nil else { return false }
                return wanted == nil || wanted == found.identity || wanted == found.alias?.lowercased()
            }
            // A local package replaces a remote one.
            for found in declared
            where others[found.identity].map({ $0.dependency.path == nil && found.path != nil }) ?? true {
                others[found.identity] = (package, found)
            }
            let name = declared.count == 1 ? declared[0].name : dependency.package
            let provider = name.map { Use.Provider.package($0) } ?? .unknown
            return ([use(dependency.name, provider)], [])
        }
        if owner !== package, reasons[owner.index] != nil {
            used.insert(owner.index)
            return ([use(dependency.name, .package(tree.identity(of: owner)))], [])
        }
        let targets =
            owner === package
            ? owner.targets.filter { $0.name == dependency.name } : owner.targets(ofProduct: dependency.name)
        return (
            targets.map { use($0.name, .target) },
            targets.map { TargetGraph.Node(package: owner, target: $0) }
        )
    }

    // MARK: Packages that stay

    /// Reads how SwiftPM builds the packages of the targets.
    private mutating func readBuilds() throws {
        let indices = Set(targets.map(\.package.index)).subtracting(builds.keys).sorted()
        let read = try concurrentMap(indices, step: 4) { [tree] index in
            try tree.buildManifest(of: tree.packages[index])
        }
        builds.merge(zip(indices, read)) { $1 }
    }

    /// Finds packages that cannot be merged. Returns whether there are new ones.
    private mutating func refuse() -> Bool {
        let before = reasons.count
        // The app comes first, so that others give way to it.
        let ofApp = targets.filter { $0.package === focus.package }
        let found = ofApp + targets.filter { $0.package !== focus.package }
        for (package, reason) in MergeConflicts(found, builds, in: focus).reasons
        where reasons[package.index] == nil {
            stay(package, reason)
        }
        return reasons.count > before
    }

    /// Makes a package stay, and with it all packages that it depends on, because a target may not exist twice.
    private mutating func stay(_ package: LocalPackage, _ reason: String) {
        reasons[package.index] = reason
        for other in focus.dependencies(of: [package]) where reasons[other.index] == nil {
            reasons[other.index] = "\(package.name), which is not merged, depends on it"
        }
    }
}
