import ModuleKit
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
    /// The executable products of the app.
    let executables: [Manifest.Product]
    /// The names of the app's programs, which `swift run` accepts: of its products, and of targets without a product.
    package let programs: [String]
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
        platforms = PlatformName.versioned.compactMap { name in
            all.compactMap { $0.platforms[name] }.max { $0.lexicographicallyPrecedes($1) }.map {
                (name, $0)
            }
        }
        // All targets that a standard concerns have the same one.
        let compiled = found.targets.map { ($0.target, build: builds[$0.package.index] ?? BuildManifest()) }
        cStandard = compiled.first { target, _ in target.isC }?.build.cStandard
        cxxStandard =
            compiled.first { target, build in target.isC || build.usesCxx(target) }?.build.cxxStandard
        let names = Set(found.targets.map(\.target.name))
        executables = app.manifest.products.filter { product in
            let kinds = app.targets(ofProduct: product.name).map(\.kind)
            return kinds.contains(.executable) && names.isSuperset(of: product.targets)
        }
        let ofProducts = Set(executables.flatMap(\.targets))
        programs =
            executables.map(\.name)
            + app.targets.filter {
                $0.kind == .executable && names.contains($0.name) && !ofProducts.contains($0.name)
            }.map(\.name)
        traits = found.traits[app].sorted()
        let used = Set(found.targets.flatMap(\.uses).filter { $0.provider == .target }.map(\.name))
        targets = found.targets.map { found in
            let (package, target) = (found.package, found.target)
            let build = builds[package.index] ?? BuildManifest()
            return Target(
                package: package.path, name: target.name, kind: target.kind, folder: target.folder,
                sources: target.declaration.sources,
                build: Self.build(of: target, build, enabled[package], isApp: package === app),
                uses: found.uses, hasTraits: package === app && !target.isC,
                isLast: !used.contains(target.name))
        }
        dependencies = try Self.local(found) + Self.outside(found, in: focus.tree)
    }

    /// The settings of a target, with the traits of its package in place of conditions.
    private static func build(
        of target: LocalTarget, _ build: BuildManifest, _ traits: Set<String>, isApp: Bool
    ) -> BuildManifest.Target {
        var result = build.targets[target.name] ?? .init()
        result.settings = result.settings.filter { $0.traits.isEmpty || !$0.traits.isDisjoint(with: traits) }
        guard !target.isC else { return result }
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
            let path = "path: " + ("../../" + package.path).debugDescription
            let traits = found.traits[package]
            return code([path], traits: package.manifest.traits.isEmpty ? ["default"] : traits)
        }
    }

    private static func outside(_ found: FocusTargets, in tree: Tree) throws -> [String] {
        let merged = Set(found.targets.map(\.package.index)).sorted().map { tree.packages[$0] }
        return try found.outside.map { user, dependency in
            let identity = dependency.identity
            let users = merged.filter { $0.manifest.dependencies.contains { $0.identity == identity } }
            let selections = users.flatMap { user in
                (found.builds[user.index]?.selections[identity] ?? [.init(name: "default")])
                    .filter { $0.traits.isEmpty || !$0.traits.isDisjoint(with: found.traits[user]) }.map(
                        \.name)
            }
            if let path = dependency.path {
                let absolute = PathText.join(PathText.join(tree.root, user.path), path)
                let relative = PathText.path(to: absolute, from: PathText.join(tree.root, FocusFolder.path))
                return code(["path: \(relative.debugDescription)"], traits: Set(selections))
            }
            let remotes = users.compactMap { user in
                found.builds[user.index]?.remotes[identity].map { (user, $0) }
            }
            return code(
                try RemoteRequirement(remotes, name: dependency.name).arguments, traits: Set(selections))
        }
    }

    /// A dependency of the package as Swift code.
    ///
    /// - Parameter traits: The selected traits; `default` selects the default ones.
    private static func code(_ arguments: [String], traits: Set<String>) -> String {
        let names = traits.sorted().map { $0 == "default" ? ".defaults" : $0.debugDescription }
        let selected = traits == ["default"] ? [] : ["traits: [\(names.joined(separator: ", "))]"]
        return ".package(\((arguments + selected).joined(separator: ", ")))"
    }
}
