import Foundation
import ModuleTree
import ModuleVersions

/// Adds a pair of packages and enters it everywhere: `modules new-module Wallet --calls Ride`.
package struct NewModule: Edit, Sendable {
    /// The layer of the pair's IMP.
    package enum Layer: String, Sendable, CaseIterable {
        /// A business of its own.
        case business = "Business"
        /// Shared by several businesses.
        case common = "Common"
    }

    let name: String
    let layer: Layer
    let calls: [String]
    let base: String?

    /// - Parameters:
    ///   - calls: The pairs whose Apis it calls.
    ///   - base: The pair whose Api it implements, instead of one of its own.
    package init(
        name: String, layer: Layer = .business, calls: [String] = [], alternativeTo base: String? = nil
    ) {
        (self.name, self.layer, self.base) = (name, layer, base)
        // In the order given, each once.
        self.calls = calls.enumerated().filter { !calls[..<$0.offset].contains($0.element) }.map(\.element)
    }

    /// `new-module Wallet`.
    package var command: String { "new-module \(name)" }

    private var path: String { "\(layer.rawValue)/\(name)" }
    private var folder: String { "Packages/\(path)" }

    /// Plans the new pair; plans nothing when it exists.
    ///
    /// - Throws: ``EditError`` when it exists otherwise than asked for, too.
    package func plan(_ root: HouseRoot) throws -> EditPlan {
        try ModuleName.validate(name)
        if let base, calls.contains(base) {
            throw EditError(
                .usage, "\(name) cannot call \(base) and be an alternative to it.",
                why:
                    "In an app that selects \(name), it is \(name) that answers for \(base): it would ask itself.",
                mend: "Leave out --calls \(base).")
        }
        var list = try root.pairList()
        if let pair = list.pairs.first(where: { $0.path == path }), root.exists(folder) {
            let differences = try differences(from: pair, root)
            guard differences.isEmpty else {
                throw EditError(
                    .refused, at: folder,
                    "\(name) exists already, and is not what was asked for: \(Layout.list(differences)).",
                    why: "What stands there may have been changed by hand, and is left as it is.",
                    mend: "Change it by hand, or make it anew after: Scripts/modules remove \(name)")
            }
            return EditPlan("\(pair.name) exists already, in \(folder); nothing was changed.")
        }
        var versions = try root.versionsFile()
        try ModuleName.validateIsFree(name, in: root.tree(), folders: root.packageFolders())
        try validateIsUnlisted(list, versions)
        let new = try packages(list, root)

        let first = SemanticVersion(1, 0, 0)
        let api = base.map(VersionsFile.Api.of) ?? .own(first)
        versions.add(.init(module: name, api: api, imp: first, floor: first), note: new.note)
        try list.add(path: path, alternativeTo: base)
        let changes =
            new.changes + [
                .write(path: HouseRoot.manifest, contents: list.text),
                .write(path: HouseRoot.versions, contents: versions.text),
                .write(path: RegistrationsFile.path, contents: RegistrationsFile.text(list.pairs)),
            ]
        return EditPlan(new.summary, changes: changes, next: new.next)
    }

    /// What was asked for and a pair that exists has not. It may well call more.
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

    /// The packages of the module, and what to say of them.
    private struct Packages {
        let changes: [Change]
        /// The first change note of its Api.
        let note: String
        let summary: String
        let next: [String]
    }

    private func packages(_ list: PairList, _ root: HouseRoot) throws(EditError) -> Packages {
        guard let base else { return try pair(list, root) }
        return try alternative(to: base, list, root)
    }

    /// What the files of a pair would contain if they were made today, with the calls that its service makes, by
    /// path; nothing for one that could not be made.
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
            changes: template.changes, note: template.note,
            summary: "Added \(name): \(folder) and \(folder)Api, 1.0.0.",
            next: [
                "Say what \(name) offers in \(folder)Api/Sources/\(name)Api/\(name)ApiProtocol.swift.",
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
                .usage, at: HouseRoot.manifest, "its type Pair has no 'alternativeTo'.",
                why: "The root manifest decides by it whose Api a pair implements, and which traits are off.",
                mend:
                    "Give Pair a property 'let alternativeTo: String?', and leave such pairs out of the defaults."
            )
        }
        let template = AlternativeTemplate(
            name: name, folder: folder, api: try api(base, option: "--alternative-to", in: list, root),
            calls: try callees(list, root))
        let others = list.pairs.filter { $0.alternativeTo == nil && $0.name != base }.map(\.name)
        let traits = (others + [name]).sorted().joined(separator: ",")
        return Packages(
            changes: template.changes, note: "",
            summary: "Added \(name), another IMP of \(base)Api: \(folder), 1.0.0.",
            next: [
                template.conformance.isIncomplete
                    ? "Write in \(folder)/Sources/\(name)/\(name)Service.swift what now stops with fatalError."
                    : "Write what it does in \(folder)/Sources/\(name)/\(name)Service.swift.",
                "Run the app with it: swift run --disable-default-traits --traits \(traits) Shell",
            ])
    }

    /// A name that only the lists have is left from a removal by hand.
    private func validateIsUnlisted(_ list: PairList, _ versions: VersionsFile) throws(EditError) {
        if let pair = list.pairs.first(where: { $0.name.lowercased() == name.lowercased() }) {
            throw EditError(
                .usage, at: "\(HouseRoot.manifest):\(pair.line)", "the pair \(pair.path) is listed.",
                why: "Its folder is not there, or the pair is in another layer or case.",
                mend: "Remove the line, or choose another name.")
        }
        let row = versions.rows.first { $0.module.lowercased() == name.lowercased() }
        let section = versions.sections.first { $0.module.lowercased() == name.lowercased() }
        if let line = row?.line ?? section?.line {
            throw EditError(
                .usage, at: "\(HouseRoot.versions):\(line)", "\(name) has versions there.",
                why: "A module of that name was released, and a new one would begin below it.",
                mend: "Remove its row and section, or choose another name.")
        }
    }

    private func api(
        _ other: String, option: String, in list: PairList, _ root: HouseRoot
    ) throws(EditError) -> (api: ApiProtocol, path: String) {
        guard let pair = list.pairs.first(where: { $0.name == other }), other != name else {
            let known = list.pairs.filter { $0.alternativeTo == nil }.map(\.name)
            throw EditError(
                .usage, "\(option) \(other): there is no such pair.",
                why: "Apis are those of the pairs that \(HouseRoot.manifest) lists.",
                mend: "Choose among: \(known.joined(separator: ", ")).")
        }
        if let base = pair.alternativeTo {
            throw EditError(
                .usage, "\(option) \(other): it is another IMP of \(base)'s Api.",
                why: "Callers know an Api, not who implements it.", mend: "Write \(option) \(base)")
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
            why: "It is what callers ask for and IMPs implement.",
            mend: "Leave out \(option) \(other), and write that part by hand.")
    }
}
