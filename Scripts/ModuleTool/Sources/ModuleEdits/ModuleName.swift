import ModuleKit
import ModuleTree
import ModuleVersions

package enum ModuleName {
    /// The maximum length of a name, which keeps generated lines within 110 columns.
    static let longest = 30

    /// Refuses a name that is invalid in every tree.
    ///
    /// - Parameters:
    ///   - taken: The names of modules that a new tree contains.
    ///   - kind: What gets the name, with its article.
    package static func validate(
        _ name: String, _ configuration: Configuration = Configuration(), taken: [String] = [],
        kind: String = "a module"
    ) throws(Diagnostic) {
        let suffix = configuration.apiSuffix
        // Each problem with its reason.
        let problems = [
            (
                name.wholeMatch(of: /[A-Z][A-Za-z0-9]*/) == nil,
                "it is not a word of ASCII letters and digits that begins with a capital letter",
                "The name becomes a Swift identifier, a type and a trait."
            ),
            (
                name.count > longest, "it has \(name.count) characters, and the maximum is \(longest)",
                "Generated lines would exceed 110 columns."
            ),
            (
                ReservedNames.all.union(taken.map { $0.lowercased() }).contains(name.lowercased()),
                "a standard module, a standard type, a keyword or generated code has this name",
                "'import \(name)' or '\(name).' would be ambiguous."
            ),
            (
                name.hasSuffix(suffix), "it ends in '\(suffix)'",
                "This suffix marks the Api package of a pair, which gets its name from the pair."
            ),
        ]
        let (folder, last) = PathText.split(name)
        for (isWrong, what, why) in problems where isWrong {
            throw Diagnostic(
                .configuration, "'\(name)' cannot be \(kind)'s name: \(what).", why: why,
                fix: folder.isEmpty
                    ? "Choose another name, such as \(kind == "an app" ? "Acme or Shop" : "Wallet or PayType")."
                    : kind == "an app"
                        ? "Pass the name without the folder: --app \(last)"
                        : "Pass the name without the folder, which the layer decides: \(last) --layer \(folder)"
            )
        }
    }

    /// Refuses a name that clashes with a package, target, folder or module type of this tree, or with an entry that
    /// was left after a removal by hand. Names that differ only in case clash too.
    ///
    /// - Parameter folders: The folders of the new packages.
    package static func validateIsFree(
        _ name: String, for folders: [String], in root: TreeRoot, _ tree: Tree
    ) throws(Diagnostic) {
        let names = tree.names
        let wanted = [name, names.api(name), names.moduleType(name), name + "Tests"].map { $0.lowercased() }
        var taken = tree.packages.flatMap { package -> [(String, String)] in
            var names = [package.name] + package.targets.map(\.name)
            if package.role == .imp { names += [package.moduleType, package.name + "Tests"] }
            return names.map { ($0, package.manifestPath) }
        }
        for list in try root.pairLists() {
            taken += list.pairs.map { ($0.name, "\(list.app.manifest):\($0.line)") }
        }
        taken += try root.versionsFile().rows.map { ($0.module, "\(VersionsFile.path):\($0.line)") }
        taken += folders.filter(root.exists).map { (name, $0) }
        let clash = wanted.lazy.compactMap { name in taken.first { $0.0.lowercased() == name } }.first
        guard let (other, place) = clash else { return }
        let pair = tree.packages.first { $0.role == .imp && $0.name.lowercased() == name.lowercased() }
        let listed = try root.pairLists().pairs.first { $0.name == pair?.name }
        if let pair, let listed, listed.alternativeTo != nil || tree.package(pair.apiName) != nil {
            throw Diagnostic(
                .configuration, at: pair.path, "the pair \(pair.name) exists already.",
                why: "Package and module names must be unique, and some file systems ignore case.",
                fix: "Choose another name, or remove the pair first: Scripts/modules remove \(pair.name)")
        }
        throw Diagnostic(
            .configuration, at: place, "'\(name)' cannot be added: \(other) exists here.",
            why: "Package and module names must be unique, and some file systems ignore case.",
            fix: "Choose another name, or remove what a pair that was removed by hand has left.")
    }
}
