import Foundation
import ModuleTree
import ModuleVersions

/// Adds a module pair and its entries in the root's files: `modules new-module Wallet --calls Ride`.
package struct NewModule: Edit, Sendable {
    /// The layer of the pair's IMP.
    package enum Layer: String, Sendable, CaseIterable {
        /// A business module.
        case business = "Business"
        /// A module that several business modules share.
        case common = "Common"
    }

    let name: String
    let layer: Layer
    let calls: [String]
    let base: String?

    /// - Parameters:
    ///   - calls: The pairs whose Apis the new module calls.
    ///   - base: The pair whose Api the new module implements, instead of an Api of its own.
    package init(
        name: String, layer: Layer = .business, calls: [String] = [], alternativeTo base: String? = nil
    ) {
        (self.name, self.layer, self.base) = (name, layer, base)
        // Drops duplicates and keeps the order.
        self.calls = calls.enumerated().filter { !calls[..<$0.offset].contains($0.element) }.map(\.element)
    }

    /// The command, for messages: `new-module Wallet`.
    package var command: String { "new-module \(name)" }

    private var path: String { "\(layer.rawValue)/\(name)" }
    private var folder: String { "Packages/\(path)" }

    /// Plans the new pair; plans no change when the pair exists already.
    ///
    /// - Throws: ``EditError`` when the name or a called pair is invalid, or an existing pair differs from
    ///   the requested one.
    package func plan(_ root: HouseRoot) throws -> EditPlan {
        try ModuleName.validate(name)
        if let base, calls.contains(base) {
            throw EditError(
                .usage, "\(name) cannot call \(base) and be an alternative to it.",
                why: "In an app with \(name), calls to \(base)Api reach \(name), so it would call itself.",
                fix: "Leave out --calls \(base).")
        }
        var list = try root.pairList()
        if let pair = list.pairs.first(where: { $0.path == path }), root.exists(folder) {
            let differences = try differences(from: pair, root)
            guard differences.isEmpty else {
                throw EditError(
                    .refused, at: folder,
                    "\(name) exists already and differs from the request: \(Layout.list(differences)).",
                    why: "An existing pair may contain manual changes, so new-module leaves it unchanged.",
                    fix: "Edit it by hand, or add it again after running: Scripts/modules remove \(name)")
            }
            return EditPlan("\(pair.name) exists already, in \(folder); nothing was changed.")
        }
        var versions = try root.versionsFile()
        try ModuleName.validateIsFree(name, in: root.tree(), folders: root.packageFolders())
        try validateIsUnlisted(list, versions)
        let new = try packages(list, root)

        let first = SemanticVersion(1, 0, 0)
        let api = base.map(VersionsFile.Api.of) ?? .own(first)
        versions = versions.with(.init(module: name, api: api, imp: first, floor: first))
        try list.add(path: path, alternativeTo: base)
        let changes =
            new.changes + [
                .write(path: HouseRoot.manifest, contents: list.text),
                .write(path: HouseRoot.versions, contents: versions.text),
                .write(
                    path: RegistrationsFile.path,
                    contents: RegistrationsFile.text(list.pairs, routes: try root.routes(of: list.pairs))),
            ]
        return EditPlan(new.summary, changes: changes, next: new.next)
    }

    /// The requested properties that an existing pair lacks. Calls that were not requested are allowed.
    private func differences(from pair: PairList.Pair, _ root: HouseRoot) throws -> [String] {
        let manifest = try root.tree().package(in: folder)?.manifest
        let uncalled = calls.filter { other in
            manifest?.dependencies.contains { $0.identity == "\(other)Api".lowercased() } != true
        }
        func own(_ base: String?) -> String {
            base.map { "is an alternative to \($0)" } ?? "has an Api of its own"
        }
        return (pair.alternativeTo == base ? [] : ["it \(own(pair.alternativeTo))"])
            + uncalled.map { "it does not call \($0)" }
    }

    /// The changes that create the module's packages, and the texts that describe them.
    private struct Packages {
        let changes: [Change]
        let summary: String
        let next: [String]
    }

    private func packages(_ list: PairList, _ root: HouseRoot) throws(EditError) -> Packages {
        guard let base else { return try pair(list, root) }
        return try alternative(to: base, list, root)
    }

    /// The contents, by path, that `new-module` would generate today for an existing pair and the Apis that
    /// its service calls; empty when the pair cannot be generated.
    static func files(of pair: PairList.Pair, _ list: PairList, _ root: HouseRoot) -> [String: String] {
        let service = try? root.text("\(pair.folder)/Sources/\(pair.name)/\(pair.name)Service.swift")
        let calls = (service ?? "").matches(of: /center\.api\(type: (\w+)ApiProtocol\.self\)/)
            .map { String($0.1) }
        let new = NewModule(
            name: pair.name, layer: Layer(rawValue: pair.layer) ?? .business, calls: calls,
            alternativeTo: pair.alternativeTo)
        var files: [String: String] = [:]
        for case .write(let path, let contents) in (try? new.packages(list, root))?.changes ?? [] {
            files[path] = contents
        }
        return files
    }

    private func pair(_ list: PairList, _ root: HouseRoot) throws(EditError) -> Packages {
        let template = PairTemplate(name: name, folder: folder, calls: try callees(list, root))
        return Packages(
            changes: template.changes,
            summary: "Added \(name): \(folder) and \(folder)Api, 1.0.0.",
            next: [
                "Declare what \(name) offers in \(folder)Api/Sources/\(name)Api/\(name)ApiProtocol.swift.",
                "Run its tests: swift test --package-path \(folder)",
            ])
    }

    private func callees(
        _ list: PairList, _ root: HouseRoot
    ) throws(EditError) -> [(api: ApiProtocol, path: String)] {
        var apis: [(api: ApiProtocol, path: String)] = []
        for other in calls { apis.append(try api(other, option: "--calls", in: list, root)) }
        return apis
    }

    private func alternative(
        to base: String, _ list: PairList, _ root: HouseRoot
    ) throws(EditError) -> Packages {
        guard list.knowsAlternatives else {
            throw EditError(
                .usage, at: HouseRoot.manifest, "the type Pair has no property 'alternativeTo'.",
                why: "The property tells which Api a pair implements and which traits are off by default.",
                fix:
                    "Add 'let alternativeTo: String?' to Pair, and leave alternatives out of the default traits."
            )
        }
        let template = AlternativeTemplate(
            name: name, folder: folder, api: try api(base, option: "--alternative-to", in: list, root),
            calls: try callees(list, root))
        let others = list.pairs.filter { $0.alternativeTo == nil && $0.name != base }.map(\.name)
        let traits = (others + [name]).sorted().joined(separator: ",")
        return Packages(
            changes: template.changes,
            summary: "Added \(name), another IMP of \(base)Api: \(folder), 1.0.0.",
            next: [
                template.conformance.isIncomplete
                    ? "Replace each fatalError in \(folder)/Sources/\(name)/\(name)Service.swift."
                    : "Implement \(folder)/Sources/\(name)/\(name)Service.swift.",
                "Run the app with it: swift run --disable-default-traits --traits \(traits) Shell",
            ])
    }

    /// Rejects a name that is still listed in Package.swift or VERSIONS.md after a removal by hand.
    private func validateIsUnlisted(_ list: PairList, _ versions: VersionsFile) throws(EditError) {
        if let pair = list.pairs.first(where: { $0.name.lowercased() == name.lowercased() }) {
            throw EditError(
                .usage, at: "\(HouseRoot.manifest):\(pair.line)", "the pair \(pair.path) is listed already.",
                why: "Its folder is missing, or its layer or the case of its name differs.",
                fix: "Remove the line, or choose another name.")
        }
        if let line = versions.rows.first(where: { $0.module.lowercased() == name.lowercased() })?.line {
            throw EditError(
                .usage, at: "\(HouseRoot.versions):\(line)", "\(name) has versions already.",
                why: "A module with this name was released, and a new one would restart at 1.0.0.",
                fix: "Remove its row, or choose another name.")
        }
    }

    private func api(
        _ other: String, option: String, in list: PairList, _ root: HouseRoot
    ) throws(EditError) -> (api: ApiProtocol, path: String) {
        guard let pair = list.pairs.first(where: { $0.name == other }), other != name else {
            let known = list.pairs.filter { $0.alternativeTo == nil }.map(\.name)
            throw EditError(
                .usage, "\(option) \(other): there is no such pair.",
                why: "Only the pairs that \(HouseRoot.manifest) lists have Apis.",
                fix: "Choose one of: \(known.joined(separator: ", ")).")
        }
        if let base = pair.alternativeTo {
            throw EditError(
                .usage, "\(option) \(other): this pair is an alternative IMP of \(base)Api.",
                why: "It has no Api of its own.", fix: "Write \(option) \(base)")
        }
        for file in root.swiftFiles(in: "\(pair.apiFolder)/Sources") {
            let text = try root.text(file)
            if let api = try ApiProtocol(module: other, path: file, source: text) {
                let isSibling = pair.layer == layer.rawValue
                return (api, isSibling ? "../\(other)Api" : "../../\(pair.layer)/\(other)Api")
            }
        }
        throw EditError(
            .usage, at: "\(pair.apiFolder)/Sources", "there is no protocol \(other)ApiProtocol.",
            why: "Generated code calls or implements this protocol.",
            fix: "Leave out \(option) \(other), and write the code for \(other) by hand.")
    }
}
