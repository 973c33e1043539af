import Foundation
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

    package func plan(_ root: HouseRoot) throws -> EditPlan {
        try ModuleName.validate(name, root.configuration)
        var (lists, versions) = (try root.pairLists(), try root.versionsFile())
        try ModuleName.validateIsFree(name, in: root.tree(), folders: root.packageFolders())
        try validateIsUnlisted(lists, versions)
        let folder = try folder(in: root.configuration, lists)
        let files = try files(in: folder, lists, root)

        let first = ModuleTemplates.version
        versions = versions.with(
            .init(module: name, api: base.map(VersionsFile.Api.of) ?? .own(first), imp: first, floor: first))
        for index in lists.indices {
            let trait = base == nil ? sharedTrait(of: folder, in: lists[index].app, root.configuration) : nil
            try lists[index].add(folder: folder, alternativeTo: base, trait: trait)
        }
        let changes =
            try files.sorted { $0.path < $1.path } + root.changes(lists) + [
                .write(path: VersionsFile.path, contents: versions.text)
            ]
        guard let base else {
            let api = root.configuration.api(folder)
            return EditPlan(
                "Added \(name): \(folder) and \(api), \(first).", changes: changes,
                next: [
                    "Replace introduction() in \(api). Before 1.0.0, a minor step may change the Api in any way.",
                    "Run its tests: swift test --package-path \(folder)",
                ])
        }
        let others = Set(lists.pairs.filter { $0.alternativeTo == nil && $0.name != base }.map(\.trait))
        let traits = others.union([name]).sorted()
        let folderOfList = lists.first?.app.folder ?? ""
        return EditPlan(
            "Added \(name), another IMP of \(root.configuration.api(base)): \(folder), \(first), a copy of \(base).",
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

    /// The folder of the new IMP.
    private func folder(in configuration: Configuration, _ lists: [PairList]) throws(Diagnostic) -> String {
        guard let base else {
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
        guard calls.isEmpty, layer == nil else {
            throw Diagnostic(
                .configuration, "--alternative-to cannot be combined with --calls or --layer.",
                why: "An alternative begins as a copy of \(base), in its layer and with its calls.",
                fix: "Leave out --calls and --layer, and edit the copy.")
        }
        return try existing(base, option: "--alternative-to", in: lists).folder.dropLast(base.count) + name
    }

    /// The trait that the new pair shares with other pairs of an app; nil for a trait of its own.
    private func sharedTrait(
        of folder: String, in app: Configuration.App, _ configuration: Configuration
    ) -> String? {
        let group: String? =
            switch app.trait {
            case .pair: nil
            case .layer: configuration.layers.first { $0.contains(folder) }?.name
            case .folder: PathText.split(PathText.split(folder).folder).name
            }
        // A trait is also an `#if` condition, so its name must be an identifier.
        return group?.replacing(/\W/, with: "_")
    }

    /// The files that `new-module` generates for a pair from the current tree.
    private func files(
        in folder: String, _ lists: [PairList], _ root: HouseRoot
    ) throws -> [Change] {
        let templates = ModuleTemplates(
            name: name, folder: folder, configuration: root.configuration,
            settings: try lists.first.map { SharedSettings.end(of: try root.text($0.app.manifest)) } ?? "")
        let (files, copies): ([String: String], [Change])
        if let base {
            let other = try existing(base, option: "--alternative-to", in: lists)
            (files, copies) = try templates.alternative(to: other, in: root)
        } else {
            let others = try calls.map { try existing($0, option: "--calls", in: lists) }
            (files, copies) = (templates.pair(calling: others.map(\.folder)), [])
        }
        return try ModuleTemplates.formatted(files, like: root).map {
            .write(path: $0.key, contents: $0.value)
        }
            + copies
    }

    private func existing(
        _ other: String, option: String, in lists: [PairList]
    ) throws(Diagnostic) -> PairList.Pair {
        guard let pair = lists.pairs.first(where: { $0.name == other }) else {
            let known = lists.pairs.filter { $0.alternativeTo == nil }.map(\.name)
            throw Diagnostic(
                .configuration, "\(option) \(other): there is no such pair.",
                why: "\(option) takes a pair that an app's manifest lists.",
                fix: Spelling.choice(for: other, among: known))
        }
        if let base = pair.alternativeTo {
            throw Diagnostic(
                .configuration, "\(option) \(other): this pair is an alternative IMP of \(base)'s Api.",
                why: "It has no Api of its own.", fix: "Pass \(option) \(base)")
        }
        return pair
    }

    /// Rejects a name that is still listed in an app's manifest or VERSIONS.md after a removal by hand.
    private func validateIsUnlisted(_ lists: [PairList], _ versions: VersionsFile) throws(Diagnostic) {
        for list in lists {
            guard let pair = list.pairs.first(where: { $0.name.lowercased() == name.lowercased() }) else {
                continue
            }
            throw Diagnostic(
                .configuration, at: "\(list.app.manifest):\(pair.line)",
                "the pair \(pair.path) is already listed.",
                why: "Its folder is missing, or its layer or the case of its name differs.",
                fix: "Remove the line, or choose another name.")
        }
        if let line = versions.rows.first(where: { $0.module.lowercased() == name.lowercased() })?.line {
            throw Diagnostic(
                .configuration, at: "\(VersionsFile.path):\(line)", "\(name) already has versions.",
                why: "A module with this name was released, and a new one would restart at 0.1.0.",
                fix: "Remove its row, or choose another name.")
        }
    }
}
