import Foundation

/// Reads a manifest by running `swift package dump-package`.
enum DumpedManifest {
    /// A manifest that contains none of these words cannot read the environment.
    private static let words = ["environment", "getenv"].map { Data($0.utf8) }

    /// The compiler flags after which an import does not show the name of the used module.
    static let renamingFlags = ["-module-alias", "-import-module"]

    /// The environment variables as bytes for the cache key; empty if the manifest cannot read the
    /// environment. Leaves out variables that differ between terminal sessions.
    static func surroundings(of source: [UInt8]) -> [UInt8] {
        let data = Data(source)
        guard words.contains(where: { data.range(of: $0) != nil }) else { return [] }
        let volatile: Set = ["_", "OLDPWD", "PWD", "SHLVL", "MODULETOOL_ROOT"]
        return ProcessInfo.processInfo.environment.filter {
            !volatile.contains($0.key) && !$0.key.hasPrefix("TERM")
        }
        .map { "\($0)=\($1)\0" }.sorted().flatMap(\.utf8)
    }

    /// SwiftPM's output for the package in a folder. The paths in the output are absolute.
    struct Output: Codable {
        let folder: String
        let json: Data
    }

    /// Runs SwiftPM for the package in a folder, given as an absolute path.
    static func run(in folder: String) throws -> Output {
        // Uses a temporary scratch folder, because a build can lock the package's `.build` for minutes.
        let scratch = FileManager.default.temporaryDirectory.appending(
            path: "moduletool-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        // On macOS, a check in a build runs in a sandbox already, and a sandbox cannot start another one.
        let isInBuild = ProcessInfo.processInfo.environment["MODULETOOL_IN_BUILD"] != nil
        let output = try Command.run(
            ["swift", "package", "--package-path", folder, "--scratch-path", scratch.path()]
                + (isInBuild ? ["--disable-sandbox"] : []) + ["dump-package"], in: folder)
        guard output.status == 0 else {
            throw ToolError(
                .configuration, at: folder + "/Package.swift",
                "SwiftPM cannot read the manifest:\n\(output.standardError)",
                why: "skipping the package would hide its mistakes",
                fix: "correct it; all errors: swift package --package-path \(folder) dump-package")
        }
        return Output(folder: folder, json: output.standardOutput)
    }

    /// Reads SwiftPM's output, and finds the places of the declarations in the manifest's text.
    static func read(_ output: Output, source: [UInt8]) throws -> Manifest {
        let path = output.folder + "/Package.swift"
        let dump: Dump
        do { dump = try JSONDecoder().decode(Dump.self, from: output.json) } catch {
            throw ToolError(
                .environment, at: path,
                "the output of `swift package dump-package` cannot be decoded: \(error)",
                why: "its format may have changed with the Swift version",
                fix: "use only literals and plain lists, or update ModuleTree/DumpedManifest.swift")
        }
        let lines = LineTable(source)
        return try SourceParser.read(source, in: path) { tree in
            dump.manifest(ManifestPlaces(tree, lines), in: output.folder)
        }
    }
}

/// The fields of `dump-package`'s JSON that the tool uses.
private struct Dump: Decodable {
    struct Dependency: Decodable {
        struct Source: Decodable {
            let identity: String
            let nameForTargetDependencyResolutionOnly: String?
            /// Only for a local package.
            let path: String?
            /// Only for a remote package.
            let requirement: Requirement?
            let traits: [SelectedTrait]?
        }
        struct SelectedTrait: Decodable { let name: String }

        let fileSystem: [Source]?
        let sourceControl: [Source]?
        let registry: [Source]?
    }

    struct Requirement: Decodable {
        struct Bounds: Decodable {
            let lowerBound: String
            let upperBound: String
        }
        let range: [Bounds]?
        let exact: [String]?
        let branch: [String]?
        let revision: [String]?

        var value: Manifest.Requirement {
            if let exact = exact?.first { return .exact(exact) }
            if let branch = branch?.first { return .branch(branch) }
            if let revision = revision?.first { return .revision(revision) }
            return .range(lower: range?.first?.lowerBound ?? "", upper: range?.first?.upperBound ?? "")
        }
    }
    struct Product: Decodable {
        struct Kind: Decodable { let library: [String]? }
        let name: String
        let targets: [String]
        let type: Kind
    }
    struct Target: Decodable {
        let name: String
        let type: String
        let path: String?
        let exclude: [String]?
        let resources: [Resource]?
        let sources: [String]?
        let dependencies: [TargetDependency]
        let pluginUsages: [TargetDependency]?
        let settings: [Setting]?
    }
    struct Setting: Decodable {
        struct Kind: Decodable { let unsafeFlags: Flags? }
        struct Flags: Decodable {
            let flags: [String]
            private enum CodingKeys: String, CodingKey { case flags = "_0" }
        }
        let kind: Kind

        var renamesModules: Bool {
            kind.unsafeFlags?.flags.contains { flag in
                DumpedManifest.renamingFlags.contains { flag.hasPrefix($0) }
            } ?? false
        }
    }
    struct TargetDependency: Decodable {
        /// A dependency on a product or a plugin: its name, its package, and sometimes a condition.
        let product: [Part?]?
        let plugin: [Part?]?
        let target: [Part?]?
        let byName: [Part?]?

        func read(_ places: ManifestPlaces, in target: String) -> Manifest.TargetDependency? {
            let ofPackage = product ?? plugin
            guard let parts = ofPackage ?? self.target ?? byName, let name = parts.first??.text else {
                return nil
            }
            return .init(
                name: name, package: ofPackage?.dropFirst().first??.text,
                traits: Set(parts.flatMap { $0?.traits ?? [] }),
                platforms: Set(parts.flatMap { $0?.platforms ?? [] }),
                position: places.dependency(name, of: target), isPlugin: plugin != nil,
                renamesModules: parts.contains { $0?.aliases.isEmpty == false })
        }
    }
    struct Resource: Decodable {
        struct Rule: Decodable {
            struct Copy: Decodable {}
            let copy: Copy?
        }
        let path: String
        let rule: Rule
    }
    /// An element of a mixed array: a name, module aliases, or a condition.
    struct Part: Decodable {
        let text: String?
        let aliases: [String: String]
        let traits: [String]
        let platforms: [String]

        private enum Keys: CodingKey { case traits, platformNames }

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
            aliases = (try? decoder.singleValueContainer().decode([String: String].self)) ?? [:]
            let condition = text == nil ? try? decoder.container(keyedBy: Keys.self) : nil
            traits = try condition?.decodeIfPresent([String].self, forKey: .traits) ?? []
            platforms = try condition?.decodeIfPresent([String].self, forKey: .platformNames) ?? []
        }
    }

    struct Trait: Decodable {
        let name: String
        let enabledTraits: [String]?
    }

    let name: String
    let dependencies: [Dependency]
    let products: [Product]
    let targets: [Target]
    let traits: [Trait]?

    func manifest(_ places: ManifestPlaces, in folder: String) -> Manifest {
        var manifest = Manifest(name: name)
        manifest.dependencies = dependencies.compactMap { dependency in
            (dependency.fileSystem ?? dependency.sourceControl ?? dependency.registry)?.first.map { source in
                let path = source.path.map { PathText.path(to: $0, from: folder) }
                return .init(
                    identity: source.identity, alias: source.nameForTargetDependencyResolutionOnly,
                    path: path,
                    requirement: source.requirement?.value,
                    position: places.package(path: path, identity: source.identity),
                    hasTraits: (source.traits ?? []).contains { $0.name != "default" })
            }
        }
        manifest.products = products.map {
            .init(name: $0.name, targets: $0.targets, isDynamic: $0.type.library == ["dynamic"])
        }
        manifest.targets = targets.map { target in
            .init(
                name: target.name, kind: Manifest.TargetKind(rawValue: target.type) ?? .regular,
                path: target.path,
                // Copied resources are not compiled.
                exclude: (target.exclude ?? [])
                    + (target.resources ?? []).filter { $0.rule.copy != nil }.map(\.path),
                sources: target.sources,
                dependencies: ((target.pluginUsages ?? []) + target.dependencies).compactMap {
                    $0.read(places, in: target.name)
                },
                position: places.target(target.name, path: target.path),
                renamesModules: (target.settings ?? []).contains(where: \.renamesModules))
        }
        for trait in traits ?? [] {
            if trait.name == "default" {
                manifest.defaultTraits = Set(trait.enabledTraits ?? [])
            } else {
                manifest.traits.insert(trait.name)
            }
        }
        return manifest
    }
}
