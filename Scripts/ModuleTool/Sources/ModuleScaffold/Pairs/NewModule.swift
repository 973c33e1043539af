import Foundation
import ModuleEdits
import ModuleKit
import ModuleTree
import ModuleVersions

/// Adds a module pair and its entries in the root's files: `modules new-module Wallet --calls Ride`.
package struct NewModule: Edit, Sendable {
    let name: String
    let layer: String?
    let calls: [String]
    let base: String?

    /// - Parameters:
    ///   - layer: The layer's name; nil for the highest layer with pairs. Must be nil for an alternative, which is
    ///     added beside `base`.
    ///   - calls: The pairs whose Apis the new module calls.
    ///   - base: The pair whose Api the new module implements; the new module then has no Api package.
    package init(name: String, layer: String? = nil, calls: [String] = [], alternativeTo base: String? = nil)
    {
        (self.name, self.layer, self.base) = (name, layer, base)
        self.calls = Set(calls).sorted()
    }

    package var command: String { "new-module \(name)" }

    package func plan(_ root: TreeRoot) throws -> EditPlan {
        let configuration = root.configuration
        try ModuleName.validate(name, configuration)
        var (lists, versions) = (try root.pairLists(), try root.versionsFile())
        let tree = try root.tree()
        let original = try base.map { try owner($0, option: "--alternative-to", in: lists) }
        let callees = try calls.map { try owner($0, option: "--calls", in: lists) }
        let folder = try folder(beside: original, configuration)
        let api = configuration.api(folder)
        try ModuleName.validateIsFree(
            name, for: original == nil ? [folder, api] : [folder], in: root, tree)
        let first = try first(in: root)
        let templates = ModuleTemplates(
            name: name, folder: folder, configuration: configuration, settings: try root.sharedSettings(),
            first: first)
        let (files, copies) =
            try original.map { try templates.alternative(to: $0, in: root, tree) }
            ?? (templates.pair(calling: callees.map(\.folder)), [])

        try root.refuseIgnored(files.keys + copies.map(\.path))
        versions = versions.with(
            .init(module: name, api: base.map(VersionsFile.Api.of) ?? .own(first), imp: first))
        for index in lists.indices {
            let trait = base == nil ? configuration.sharedTrait(of: folder, in: lists[index].app) : nil
            // The tests of an alternative are a copy too.
            let uses = lists[index].pairs.first { $0.name == base }?.uses ?? []
            try lists[index].add(folder: folder, alternativeTo: base, trait: trait, uses: uses)
        }
        let changes =
            try (Change.writing(ModuleTemplates.formatted(files, like: root)) + copies)
            .sorted { $0.path < $1.path } + root.changes(lists, tree)
            + root.changes(versions)
        let version = configuration.versions == .table ? ", \(first)" : ""
        guard let base else {
            return EditPlan(
                "Added \(name): \(folder) and \(api)\(version).", changes: changes,
                next: [
                    "Replace introduction() in \(api)."
                        + (version.isEmpty
                            ? "" : " Before 1.0.0, a minor step may change the Api in any way."),
                    "Run its tests: swift test --package-path \(folder)",
                ])
        }
        let others = Set(lists.pairs.filter { $0.alternativeTo == nil && $0.name != base }.map(\.trait))
        let traits = others.union([name]).sorted()
        let folderOfList = lists.first?.app.folder ?? ""
        return EditPlan(
            "Added \(name), another IMP of \(configuration.api(base)): \(folder)\(version), a copy of \(base).",
            changes: changes,
            next: [
                "Change \(folder)/Sources/\(name).",
                // Only the package with the list declares the traits.
                folderOfList.isEmpty
                    ? "Run the app with it: swift run --disable-default-traits --traits "
                        + traits.joined(separator: ",")
                    : "Run the app with it: depend on \(folderOfList) with traits: \(traits), in swift-tools-version 6.1 or later.",
            ])
    }

    /// The first version: the usual one, or a version above those of a removed module with this name.
    private func first(in root: TreeRoot) throws -> SemanticVersion {
        guard root.configuration.versions == .table,
            let git = try? GitRepository(root: root.url.path, allowsShallow: true)
        else {
            return ModuleTemplates.version
        }
        let old = try git.lines(of: VersionsFile.path, matching: "^\\| *\(name) *\\|").flatMap { line in
            VersionsFile("| Module | Api | IMP | Floor |\n|---|---|---|---|\n\(line)").rows.flatMap {
                [$0.api.version, $0.imp].compactMap(\.self)
            }
        }.max()
        return old.map { $0.raised(by: $0.major == 0 ? .minor : .major) } ?? ModuleTemplates.version
    }

    /// The folder of the new IMP.
    private func folder(
        beside original: PairList.Pair?, _ configuration: Configuration
    ) throws(Diagnostic) -> String {
        if let original {
            guard calls.isEmpty, layer == nil else {
                throw Diagnostic(
                    .configuration, "--alternative-to cannot be combined with --calls or --layer.",
                    why:
                        "An alternative begins as a copy of \(original.name), in its layer and with its calls.",
                    fix: "Leave out --calls and --layer, and edit the copy.")
            }
            return PathText.join(PathText.split(original.folder).folder, name)
        }
        let layers = configuration.layers.filter { $0.pairs == .required || $0.pairs == .optional }
        let folders = layers.flatMap { layer in layer.folders.map { (layer.name, $0) } }
        let chosen =
            layer.map { name in
                folders.first {
                    [$0.lowercased(), PathText.split($1).name.lowercased()].contains(name.lowercased())
                }?.1
            } ?? layers.last?.folders.first
        guard let folder = chosen else {
            throw Diagnostic(
                .configuration, at: Configuration.path,
                "\(layer ?? "no layer") is not a layer with pairs.",
                why: "A pair belongs in a layer with 'pairs: required' or 'pairs: optional'.",
                fix: layer.map { Spelling.choice(for: $0, among: layers.map(\.name)) }
                    ?? "Add 'pairs: optional' to a layer.")
        }
        return "\(folder)/\(name)"
    }

    /// The pair that an option names, which must have its own Api.
    private func owner(
        _ other: String, option: String, in lists: [PairList]
    ) throws(Diagnostic) -> PairList.Pair {
        let owners = lists.pairs.filter { $0.alternativeTo == nil }
        if let pair = owners.first(where: { $0.name == other }) { return pair }
        let base = lists.pairs.first { $0.name == other }?.alternativeTo
        throw Diagnostic(
            .configuration,
            "\(option) \(other): "
                + (base.map { "this pair is an alternative IMP of \($0)'s Api." } ?? "there is no such pair."),
            why: "The value of \(option) must be a pair with its own Api in the list of an app's manifest.",
            fix: base.map { "Pass \(option) \($0)." }
                ?? Spelling.choice(for: other, among: owners.map(\.name))
        )
    }
}
