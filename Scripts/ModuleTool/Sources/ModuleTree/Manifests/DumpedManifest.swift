import Foundation
import ModuleKit

/// Reads a manifest by running `swift package dump-package`.
enum DumpedManifest {
    /// The compiler flags after which an import does not show the name of the used module.
    static let renamingFlags = ["-module-alias", "-import-module"]

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
            throw Diagnostic(
                .configuration, at: folder + "/Package.swift",
                "SwiftPM cannot read the manifest:\n\(output.standardError)",
                why: "Skipping the package would hide its mistakes.",
                fix:
                    "Correct the manifest. This command prints all errors: swift package --package-path \(folder) dump-package"
            )
        }
        return Output(folder: folder, json: output.standardOutput)
    }

    /// Runs SwiftPM for a manifest that is not on the disk, without the package's files.
    ///
    /// - Parameter name: The name of the package's folder.
    static func run(_ manifest: [UInt8], named name: String) throws -> Output {
        let outer = FileManager.default.temporaryDirectory.appending(path: "moduletool-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: outer) }
        let folder = outer.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(manifest).write(to: folder.appending(path: "Package.swift"))
        return try run(in: folder.path)
    }

    /// Reads SwiftPM's output, and finds the places of the declarations in the manifest's text.
    static func read(_ output: Output, _ source: ManifestSource) throws -> Manifest {
        do {
            let dump = try JSONSerialization.jsonObject(with: output.json) as? [String: Any] ?? [:]
            return try Dump(source: source, folder: output.folder).manifest(dump)
        } catch {
            throw Diagnostic(
                .environment, at: output.folder + "/Package.swift",
                "the output of `swift package dump-package` cannot be decoded: \(error)",
                why: "Its format may have changed with the Swift version.",
                fix: "Use only literals and plain lists, or update DumpedManifest.swift.")
        }
    }
}

/// Reads the parts of `dump-package`'s JSON that the tool uses.
private struct Dump {
    typealias Object = [String: Any]

    /// Thrown if a value that every package has is missing or of another type.
    struct Missing: Error { let key: String }

    let source: ManifestSource
    let folder: String

    private func required<Value>(_ key: String, of object: Object) throws -> Value {
        guard let value = object[key] as? Value else { throw Missing(key: key) }
        return value
    }

    private func objects(_ value: Any?) -> [Object] { value as? [Object] ?? [] }
    private func texts(_ value: Any?) -> [String] { value as? [String] ?? [] }

    func manifest(_ dump: Object) throws -> Manifest {
        var manifest = Manifest(name: try required("name", of: dump))
        manifest.dependencies = try (required("dependencies", of: dump) as [Object]).compactMap(dependency)
        manifest.products = try (required("products", of: dump) as [Object]).map {
            .init(
                name: try required("name", of: $0), targets: texts($0["targets"]),
                isDynamic: texts(($0["type"] as? Object)?["library"]) == ["dynamic"])
        }
        manifest.targets = try (required("targets", of: dump) as [Object]).map(target)
        for trait in objects(dump["traits"]) {
            let name: String = try required("name", of: trait)
            if name == "default" {
                manifest.defaultTraits = Set(texts(trait["enabledTraits"]))
            } else {
                manifest.traits.insert(name)
            }
        }
        return manifest
    }

    private func dependency(_ dump: Object) throws -> Manifest.Dependency? {
        let kinds = ["fileSystem", "sourceControl", "registry"]
        guard let found = kinds.lazy.compactMap({ objects(dump[$0]).first }).first else { return nil }
        let identity: String = try required("identity", of: found)
        let path = (found["path"] as? String).map { PathText.path(to: $0, from: folder) }
        let url = objects((found["location"] as? Object)?["remote"]).first?["urlString"] as? String
        let name = (url ?? found["path"] as? String).map(PackageIdentity.name) ?? identity
        return .init(
            name: name.lowercased() == identity ? name : identity,
            alias: found["nameForTargetDependencyResolutionOnly"] as? String, path: path,
            pin: (found["requirement"] as? Object).flatMap(pin),
            position: source.place(ofPackage: path, identity: identity),
            hasTraits: objects(found["traits"]).contains { $0["name"] as? String != "default" })
    }

    private func pin(_ requirement: Object) -> String? {
        for kind in ["exact", "branch", "revision"] {
            if let value = texts(requirement[kind]).first { return "\(kind): \"\(value)\"" }
        }
        let bounds = objects(requirement["range"]).first
        func bound(_ key: String) -> String { bounds?[key] as? String ?? "" }
        return Manifest.pin(from: bound("lowerBound"), to: bound("upperBound"))
    }

    private func target(_ dump: Object) throws -> Manifest.Target {
        let name: String = try required("name", of: dump)
        let path = dump["path"] as? String
        // Copied resources are not compiled.
        let copied = objects(dump["resources"]).filter { ($0["rule"] as? Object)?["copy"] != nil }
        let flags = objects(dump["settings"]).flatMap { setting in
            let kind = (setting["kind"] as? Object)?["unsafeFlags"] as? Object
            return texts(kind?["_0"])
        }
        return .init(
            name: name, kind: .init(rawValue: try required("type", of: dump)) ?? .regular, path: path,
            exclude: texts(dump["exclude"]) + copied.compactMap { $0["path"] as? String },
            sources: dump["sources"] as? [String],
            dependencies: try (objects(dump["pluginUsages"]) + required("dependencies", of: dump))
                .compactMap { dependency(of: name, $0) },
            position: source.place(ofTarget: name, path: path),
            renamesModules: flags.contains { DumpedManifest.renamingFlags.contains(where: $0.hasPrefix) })
    }

    /// Reads a dependency of a target: a list with a name, a package, module aliases and a condition.
    private func dependency(of target: String, _ dump: Object) -> Manifest.TargetDependency? {
        let kinds = ["product", "plugin", "target", "byName"]
        guard let kind = kinds.first(where: { dump[$0] != nil }), let parts = dump[kind] as? [Any],
            let name = parts.first as? String
        else { return nil }
        let condition = parts.lazy.compactMap { $0 as? Object }.first {
            $0["platformNames"] != nil || $0["traits"] != nil
        }
        return .init(
            name: name,
            package: ["product", "plugin"].contains(kind) ? parts.dropFirst().first as? String : nil,
            traits: Set(texts(condition?["traits"])), platforms: Set(texts(condition?["platformNames"])),
            position: source.place(ofDependency: name, of: target), isPlugin: kind == "plugin",
            renamesModules: kind == "product" && parts.count > 2 && (parts[2] as? Object)?.isEmpty == false)
    }
}
