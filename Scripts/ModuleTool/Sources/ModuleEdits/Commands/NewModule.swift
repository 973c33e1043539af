import Foundation
import ModuleTree
import ModuleVersions

/// Adds a module pair and its entries in the root's files: `modules new-module Wallet --calls Ride`.
package struct NewModule: Edit, Sendable {
    package enum Layer: String, Sendable, CaseIterable {
        case business = "Business"
        /// A module that several business modules share.
        case common = "Common"
    }

    let name: String
    let layer: Layer?
    let calls: [String]
    let base: String?

    /// - Parameters:
    ///   - layer: The layer; nil for the layer of the pair to which the module is an alternative, or else Business.
    ///   - calls: The pairs whose Apis the new module calls.
    ///   - base: The pair whose Api the new module implements; the new module then has no Api package.
    package init(name: String, layer: Layer? = nil, calls: [String] = [], alternativeTo base: String? = nil) {
        (self.name, self.layer, self.base) = (name, layer, base)
        self.calls = Set(calls).sorted()
    }

    package var command: String { "new-module \(name)" }

    package func plan(_ root: HouseRoot) throws -> EditPlan {
        try ModuleName.validate(name)
        var (list, versions) = (try root.pairList(), try root.versionsFile())
        try ModuleName.validateIsFree(name, in: root.tree(), folders: root.packageFolders())
        try validateIsUnlisted(list, versions)
        let pair = try pair(in: list)
        let files = try files(of: pair, list, root)

        let first = ModuleTemplates.version
        versions = versions.with(
            .init(module: name, api: base.map(VersionsFile.Api.of) ?? .own(first), imp: first, floor: first))
        try list.add(path: pair.path, alternativeTo: base)
        let changes =
            files.sorted { $0.key < $1.key }.map { Change.write(path: $0.key, contents: $0.value) } + [
                .write(path: HouseRoot.manifest, contents: list.text),
                .write(path: HouseRoot.versions, contents: versions.text),
                try RegistrationsFile.change(list.pairs, root),
            ]
        guard let base else {
            return EditPlan(
                "Added \(name): \(pair.folder) and \(pair.apiFolder), \(first).", changes: changes,
                next: [
                    "Replace introduction() in \(pair.apiFolder). Before 1.0.0, a minor step may change the Api in any way.",
                    "Run its tests: swift test --package-path \(pair.folder)",
                ])
        }
        let others = list.pairs.filter { $0.alternativeTo == nil && $0.name != base }.map(\.name)
        return EditPlan(
            "Added \(name), another IMP of \(base)Api: \(pair.folder), \(first), a copy of \(base).",
            changes: changes,
            next: [
                "Change \(pair.folder)/Sources/\(name).",
                "Run the app with it: swift run --disable-default-traits --traits "
                    + "\((others + [name]).sorted().joined(separator: ",")) Shell",
            ])
    }

    /// The new pair's entry in the list of pairs.
    private func pair(in list: PairList) throws(ToolError) -> PairList.Pair {
        guard let base else {
            return .init(path: "\((layer ?? .business).rawValue)/\(name)", alternativeTo: nil, line: 0)
        }
        guard calls.isEmpty, layer == nil else {
            throw ToolError(
                .configuration, "--alternative-to cannot be combined with --calls or --layer.",
                why: "An alternative begins as a copy of \(base), in its layer and with its calls.",
                fix: "Leave out --calls and --layer, and edit the copy.")
        }
        let other = try existing(base, option: "--alternative-to", in: list)
        return .init(path: "\(other.layer)/\(name)", alternativeTo: base, line: 0)
    }

    /// The files that `new-module` generates for a pair from the current tree.
    private func files(
        of pair: PairList.Pair, _ list: PairList, _ root: HouseRoot
    ) throws -> [String: String] {
        let templates = ModuleTemplates(name: name, folder: pair.folder)
        guard let base else {
            let others = try calls.map { try existing($0, option: "--calls", in: list) }
            return try ModuleTemplates.formatted(templates.pair(calling: others), like: root)
        }
        let other = try existing(base, option: "--alternative-to", in: list)
        return try ModuleTemplates.formatted(templates.alternative(to: other, in: root), like: root)
    }

    /// The files that `new-module` would generate today for an existing pair; empty when they cannot be generated.
    static func files(of pair: PairList.Pair, _ list: PairList, _ root: HouseRoot) -> [String: String] {
        let manifest = (try? root.text(pair.folder + "/Package.swift")) ?? ""
        let apis = manifest.matches(of: /path: "[^"]*\/(\w+)Api"/).map { String($0.1) }
        let new = NewModule(
            name: pair.name, calls: pair.alternativeTo == nil ? apis.filter { $0 != pair.name } : [],
            alternativeTo: pair.alternativeTo)
        return (try? new.files(of: pair, list, root)) ?? [:]
    }

    private func existing(
        _ other: String, option: String, in list: PairList
    ) throws(ToolError) -> PairList.Pair {
        guard let pair = list.pairs.first(where: { $0.name == other }) else {
            let known = list.pairs.filter { $0.alternativeTo == nil }.map(\.name)
            throw ToolError(
                .configuration, "\(option) \(other): there is no such pair.",
                why: "Only the pairs that \(HouseRoot.manifest) lists have Apis.",
                fix: Spelling.choice(for: other, among: known))
        }
        if let base = pair.alternativeTo {
            throw ToolError(
                .configuration, "\(option) \(other): this pair is an alternative IMP of \(base)Api.",
                why: "It has no Api of its own.", fix: "Write \(option) \(base)")
        }
        return pair
    }

    /// Rejects a name that is still listed in Package.swift or VERSIONS.md after a removal by hand.
    private func validateIsUnlisted(_ list: PairList, _ versions: VersionsFile) throws(ToolError) {
        if let pair = list.pairs.first(where: { $0.name.lowercased() == name.lowercased() }) {
            throw ToolError(
                .configuration, at: "\(HouseRoot.manifest):\(pair.line)",
                "the pair \(pair.path) is listed already.",
                why: "Its folder is missing, or its layer or the case of its name differs.",
                fix: "Remove the line, or choose another name.")
        }
        if let line = versions.rows.first(where: { $0.module.lowercased() == name.lowercased() })?.line {
            throw ToolError(
                .configuration, at: "\(HouseRoot.versions):\(line)", "\(name) has versions already.",
                why: "A module with this name was released, and a new one would restart at 0.1.0.",
                fix: "Remove its row, or choose another name.")
        }
    }
}
