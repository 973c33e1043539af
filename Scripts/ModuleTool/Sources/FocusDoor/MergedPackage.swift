import ModuleTree

/// One package with the targets of a focus.
package struct MergedPackage {
    package let name: String
    /// Such as `6.3`.
    let toolsVersion: String
    let defaultLocalization: String?
    /// The minimum versions: for each platform, the highest that a merged package requires.
    let platforms: [(name: String, version: [Int])]
    let cStandard: String?, cxxStandard: String?
    let executables: [Manifest.Product]
    /// The dependencies of the package as Swift code, sorted.
    let dependencies: [String]
    /// The app's traits that are enabled.
    let traits: [String]
    package let targets: [Target]

    package struct Target {
        /// The path of the package that declares the target.
        let package: String
        package let name: String
        package let kind: Manifest.TargetKind
        let folder: String
        let sources: [String]?
        let build: BuildManifest.Target
        let uses: [FocusTargets.Use]
        /// Whether the settings begin with the app's traits.
        let hasTraits: Bool
        /// Whether no other target depends on this one.
        let isLast: Bool
    }

    /// The order of the platforms, as in most manifests.
    private static let platforms = [
        "macOS", "macCatalyst", "iOS", "tvOS", "watchOS", "visionOS", "driverKit",
    ]

    init(_ focus: Focus, _ found: FocusTargets) throws {
        let app = focus.package
        let merged = Set(found.targets.map(\.package.index)).sorted()
        let (builds, enabled) = (found.builds, found.traits)
        let all = merged.compactMap { builds[$0] }
        name = app.manifest.name
        let tools = all.map(\.toolsVersion).max { $0.lexicographicallyPrecedes($1) } ?? []
        // Before 6.0, a target cannot choose its language mode.
        toolsVersion = (tools.lexicographicallyPrecedes([6, 0]) ? [6, 0] : tools).prefix(2).map(String.init)
            .joined(separator: ".")
        defaultLocalization = all.lazy.compactMap(\.defaultLocalization).first
        platforms = Self.platforms.compactMap { name in
            all.compactMap { $0.platforms[name] }.max { $0.lexicographicallyPrecedes($1) }.map {
                (name, $0)
            }
        }
        let ofC = found.targets.filter { $0.target.files.isEmpty }.compactMap {
            found.builds[$0.package.index]
        }
        (cStandard, cxxStandard) = (ofC.first?.cStandard, ofC.first?.cxxStandard)
        let names = Set(found.targets.map(\.target.name))
        executables = app.manifest.products.filter { product in
            let kinds = app.targets(ofProduct: product.name).map(\.kind)
            return kinds.contains(.executable) && names.isSuperset(of: product.targets)
                && !product.targets.contains(product.name)
        }
        traits = found.traits[app].sorted()
        let used = Set(found.targets.flatMap(\.uses).filter { $0.provider == .target }.map(\.name))
        targets = found.targets.map { found in
            let (package, target) = (found.package, found.target)
            let build = builds[package.index] ?? BuildManifest()
            return Target(
                package: package.path, name: target.name, kind: target.kind, folder: target.folder,
                sources: target.declaration.sources,
                build: Self.build(of: target, build, enabled[package], isApp: package === app),
                uses: found.uses, hasTraits: package === app && !target.files.isEmpty,
                isLast: !used.contains(target.name))
        }
        dependencies = try Self.local(found) + Self.remote(found, in: focus.tree)
    }

    /// The settings of a target, with the traits of its package in place of conditions.
    private static func build(
        of target: LocalTarget, _ build: BuildManifest, _ traits: Set<String>, isApp: Bool
    ) -> BuildManifest.Target {
        var result = build.targets[target.name] ?? .init()
        result.settings = result.settings.filter { $0.traits.isEmpty || !$0.traits.isDisjoint(with: traits) }
        guard !target.files.isEmpty else { return result }
        var settings: [BuildManifest.Setting] = []
        let hasMode = result.settings.contains { $0.name.hasPrefix("swiftLanguage") }
        if build.languageMode != "6", !hasMode {
            settings.append(
                .init(.swift, "swiftLanguageMode", [BuildManifest.code(ofLanguageMode: build.languageMode)]))
        }
        if !isApp { settings += traits.sorted().map { .init(.swift, "define", [$0.debugDescription]) } }
        result.settings = settings + result.settings
        return result
    }

    // MARK: Dependencies

    private static func local(_ found: FocusTargets) -> [String] {
        found.staying.map { package, _ in
            let path = "../../" + package.path
            guard !package.manifest.traits.isEmpty else { return ".package(path: \(path.debugDescription))" }
            return ".package(path: \(path.debugDescription), traits: \(found.traits[package].sorted()))"
        }
    }

    private static func remote(_ found: FocusTargets, in tree: Tree) throws -> [String] {
        let merged = Set(found.targets.map(\.package.index)).sorted().map { tree.packages[$0] }
        return try found.outside.sorted { $0.dependency.identity < $1.dependency.identity }.map {
            user, dependency in
            if let path = dependency.path {
                let absolute = PathText.join(PathText.join(tree.root, user.path), path)
                let relative = PathText.path(to: absolute, from: PathText.join(tree.root, FocusFolder.path))
                return ".package(path: \(relative.debugDescription))"
            }
            let identity = dependency.identity
            let users = merged.compactMap { package in
                found.builds[package.index]?.remotes[identity].map { (package, $0) }
            }
            let selections = merged.filter { found.builds[$0.index]?.remotes[identity] != nil }.flatMap {
                package in
                (found.builds[package.index]?.selections[identity] ?? [.init(name: "default")])
                    .filter { $0.traits.isEmpty || !$0.traits.isDisjoint(with: found.traits[package]) }.map(
                        \.name)
            }
            return try RemoteRequirement(users, name: dependency.name).code(traits: Set(selections))
        }
    }
}
