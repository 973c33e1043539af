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

    /// - Parameter calls: The pairs whose Apis it calls.
    package init(name: String, layer: Layer = .business, calls: [String] = []) {
        (self.name, self.layer) = (name, layer)
        // In the order given, each once.
        self.calls = calls.enumerated().filter { !calls[..<$0.offset].contains($0.element) }.map(\.element)
    }

    /// `new-module Wallet`.
    package var command: String { "new-module \(name)" }

    private var path: String { "\(layer.rawValue)/\(name)" }
    private var folder: String { "Packages/\(path)" }

    /// Plans the new pair; plans nothing when it exists.
    package func plan(_ root: HouseRoot) throws -> EditPlan {
        try ModuleName.validate(name)
        var list = try root.pairList()
        if let pair = list.pairs.first(where: { $0.path == path }), root.exists(folder) {
            return EditPlan(
                "\(pair.name) exists already, in \(folder) and \(folder)Api; nothing was changed.")
        }
        var versions = try root.versionsFile()
        try ModuleName.validateIsFree(name, in: root.tree(), folders: root.packageFolders())
        try validateIsUnlisted(list, versions)
        let template = PairTemplate(
            name: name, folder: folder, calls: try calls.map { try api($0, in: list, root) })

        let first = SemanticVersion(1, 0, 0)
        versions.add(.init(module: name, api: .own(first), imp: first, floor: first), note: template.note)
        try list.add(path: path)
        let changes =
            template.changes + [
                .write(path: HouseRoot.manifest, contents: list.text),
                .write(path: HouseRoot.versions, contents: versions.text),
                .write(
                    path: RegistrationsFile.path, contents: RegistrationsFile.text(list.pairs.map(\.name))),
            ]
        return EditPlan(
            "Added \(name): \(folder) and \(folder)Api, 1.0.0.", changes: changes,
            next: [
                "Say what \(name) offers in \(folder)Api/Sources/\(name)Api/\(name)ApiProtocol.swift.",
                "Run its tests: swift test --package-path \(folder)",
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
        _ other: String, in list: PairList, _ root: HouseRoot
    ) throws(EditError) -> (api: ApiProtocol, path: String) {
        guard let pair = list.pairs.first(where: { $0.name == other }), other != name else {
            let known = list.pairs.filter { $0.alternativeTo == nil }.map(\.name)
            throw EditError(
                .usage, "--calls \(other): there is no such pair.",
                why: "A module calls the Apis of the pairs that \(HouseRoot.manifest) lists.",
                mend: "Choose among: \(known.joined(separator: ", ")).")
        }
        if let base = pair.alternativeTo {
            throw EditError(
                .usage, "--calls \(other): it is another IMP of \(base)'s Api.",
                why: "Callers know an Api, not who implements it.", mend: "Write --calls \(base)")
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
            why: "It is what callers ask for.",
            mend: "Leave out --calls \(other), and write the call by hand.")
    }
}
