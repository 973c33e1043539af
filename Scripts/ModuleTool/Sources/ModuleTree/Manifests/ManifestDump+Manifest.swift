import ModuleKit

/// Reads the parts that the rules need, and finds the places of the declarations in the manifest's text.
extension ManifestDump {
    /// - Parameter folder: The absolute path of the package.
    func manifest(_ source: ManifestSource, in folder: String) throws -> Manifest {
        var manifest = Manifest(name: try package.required("name"))
        manifest.dependencies = try (package.required("dependencies") as [Object]).map {
            try Self.dependency(Dependency($0), source, in: folder)
        }
        manifest.products = try (package.required("products") as [Object]).map {
            .init(
                name: try $0.required("name"), targets: $0.texts("targets"),
                isDynamic: $0.object("type").texts("library") == ["dynamic"])
        }
        manifest.targets = try (package.required("targets") as [Object]).map {
            try Self.target($0, source)
        }
        let traits = traits
        manifest.defaultTraits = traits["default"] ?? []
        manifest.traits = Set(traits.keys).subtracting(["default"])
        return manifest
    }

    private static func dependency(_ dump: Dependency, _ source: ManifestSource, in folder: String)
        -> Manifest.Dependency
    {
        let absolute = dump.values.text("path")
        let path = absolute.map { PathText.path(to: $0, from: folder) }
        let name = (dump.address ?? absolute).map(PackageIdentity.name) ?? dump.identity
        return .init(
            name: name.lowercased() == dump.identity ? name : dump.identity,
            alias: dump.values.text("nameForTargetDependencyResolutionOnly"), path: path,
            pin: dump.requirement?.pin, position: source.place(ofPackage: path, identity: dump.identity),
            hasTraits: dump.values.objects("traits").contains { $0.text("name") != "default" })
    }

    private static func target(_ dump: Object, _ source: ManifestSource) throws -> Manifest.Target {
        let (name, path) = (try dump.required("name") as String, dump.text("path"))
        // Copied resources are not compiled.
        let copied = dump.objects("resources").filter { $0.object("rule")["copy"] != nil }
        let flags = dump.objects("settings").flatMap {
            $0.object("kind").object("unsafeFlags").texts("_0")
        }
        return .init(
            name: name, kind: .init(rawValue: try dump.required("type")) ?? .regular, path: path,
            exclude: dump.texts("exclude") + copied.compactMap { $0.text("path") },
            sources: dump["sources"] as? [String],
            dependencies: try (dump.objects("pluginUsages") + dump.required("dependencies"))
                .compactMap { dependency(of: name, $0, source) },
            position: source.place(ofTarget: name, path: path),
            renamesModules: flags.contains { DumpedManifest.renamingFlags.contains(where: $0.hasPrefix) })
    }

    /// Reads a dependency of a target: a list with a name, a package, module aliases and a condition.
    private static func dependency(of target: String, _ dump: Object, _ source: ManifestSource)
        -> Manifest.TargetDependency?
    {
        let kinds = ["product", "plugin", "target", "byName"]
        guard let kind = kinds.first(where: { dump[$0] != nil }), let parts = dump[kind] as? [Any],
            let name = parts.first as? String
        else { return nil }
        let condition =
            parts.lazy.compactMap { $0 as? Object }.first {
                $0["platformNames"] != nil || $0["traits"] != nil
            } ?? [:]
        return .init(
            name: name,
            package: ["product", "plugin"].contains(kind) ? parts.dropFirst().first as? String : nil,
            traits: Set(condition.texts("traits")), platforms: Set(condition.texts("platformNames")),
            position: source.place(ofDependency: name, of: target), isPlugin: kind == "plugin",
            renamesModules: kind == "product" && parts.count > 2 && (parts[2] as? Object)?.isEmpty == false)
    }
}
