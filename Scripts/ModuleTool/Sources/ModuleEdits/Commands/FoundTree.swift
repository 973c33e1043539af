import Foundation
import ModuleTree

/// The layers and apps that `init` finds in a repository with packages.
struct FoundTree {
    /// The layers from the bottom, with one for the Apis and one for the apps.
    private(set) var layers: [Layer] = []
    /// The folder that contains the layers; "" for the root.
    private(set) var folder = ""
    /// The folder for copies of packages that all layers may use.
    private(set) var base = ""
    /// The executable targets, each with its package; those of the root package if it has any.
    let apps: [(package: LocalPackage, target: LocalTarget)]

    /// - Parameters:
    ///   - umbrella: The folder of the package that will link the pairs.
    ///   - needsBase: Whether copies of packages will be added.
    init(_ tree: Tree, umbrella: String, needsBase: Bool) {
        let executables = tree.packages.flatMap { package in
            package.targets.filter { $0.kind == .executable }.map { (package: package, target: $0) }
        }
        let own = executables.filter { $0.package.path.isEmpty }
        apps = own.isEmpty ? executables : own
        let groups = PackageGroups(tree)
        guard !groups.isEmpty else { return }
        layers = groups.ordered.map { keys in
            let members = keys.flatMap { groups.members[$0] ?? [] }
            // A package whose name ends in 'Api' would be taken for half of a pair, and a group without a folder has no
            // place for new packages.
            let hasPairs = !keys.contains("") && !members.contains { $0.name.hasSuffix("Api") }
            return Layer(
                name(for: keys[0]), folders: keys.flatMap { $0.isEmpty ? members.map(\.path) : [$0] },
                pairs: hasPairs ? .optional : .none)
        }
        let folders = groups.ordered.joined().filter { !$0.isEmpty }
        folder = PathText.common(folders)
        let isFlat = folders == [folder]
        base =
            layers.first { $0.name == "Base" }?.folders.first
            ?? (isFlat ? folder : PathText.join(folder, "Base"))
        if needsBase, !isFlat, !layers.contains(where: { $0.folders.contains(base) }) {
            layers.insert(Layer("Base", folders: [base]), at: 0)
        }
        if !layers.contains(where: { $0.pairs == .optional }) {
            if isFlat { folder = "" }
            let name = name(for: "Modules")
            layers.append(Layer(name, folders: [PathText.join(folder, name)], pairs: .optional))
        }
        let tops = groups.apps.filter { !($0 + "/").hasPrefix(umbrella) && !umbrella.hasPrefix($0 + "/") }
        let around = groups.apps.filter { umbrella.hasPrefix($0 + "/") }
        layers =
            [Layer("Api", pairs: .apis)] + layers
            + [Layer("Apps", folders: tops + (around.isEmpty ? [umbrella] : around), isApps: true)]
    }

    /// A name for the layer of a folder that no other layer has.
    private func name(for folder: String) -> String {
        func word(_ text: some StringProtocol) -> String {
            let word = text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "-" }.joined()
            return word.first?.isLetter == true ? word : "Packages" + word
        }
        let taken = ["Api", "Apps"] + layers.map(\.name)
        let names = [word(folder.split(separator: "/").last ?? ""), word(folder)]
        return names.first { name in !taken.contains { $0.lowercased() == name.lowercased() } } ?? names[1]
            + "-2"
    }
}

/// The packages of a tree, grouped by the folder that contains them. Packages directly below the root are the group "".
private struct PackageGroups {
    private(set) var members: [String: [LocalPackage]] = [:]
    /// The groups of apps: executables on which no other group depends.
    private(set) var apps: [String] = []
    /// The other groups from the bottom. Groups that depend on each other stand together.
    private(set) var ordered: [[String]] = []

    var isEmpty: Bool { ordered.isEmpty }

    init(_ tree: Tree) {
        func parent(_ path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }
        let paths = tree.packages.map(\.path).filter { !$0.isEmpty }
        // A package inside another one, such as an example, belongs to that package's group.
        let outer = tree.packages.filter { package in
            !package.path.isEmpty && !paths.contains { package.path.hasPrefix($0 + "/") }
        }
        let parents = Set(outer.map { parent($0.path) }).subtracting([""])
        for package in outer {
            let group = parents.filter { package.path.hasPrefix($0 + "/") }.min { $0.count < $1.count } ?? ""
            members[group, default: []].append(package)
        }
        let owners = members.reduce(into: [Int: String]()) { owners, group in
            for package in group.value { owners[package.index] = group.key }
        }
        let edges = PackageGraph(tree).edges.filter { !$0.isTest }.compactMap { edge in
            owners[edge.from].flatMap { from in owners[edge.to].map { (from: from, to: $0) } }
        }.filter { $0.from != $0.to }
        apps = members.keys.filter { key in
            !key.isEmpty && !edges.contains { $0.to == key }
                && members[key]?.allSatisfy { $0.targets.contains { $0.kind == .executable } } == true
        }.sorted()
        // The groups on which each group depends, directly or indirectly.
        var below: [String: Set<String>] = [:]
        for _ in members {
            for (from, to) in edges { below[from, default: []].formUnion((below[to] ?? []).union([to])) }
        }
        for group in members.keys.sorted() where !apps.contains(group) {
            let twin = ordered.firstIndex {
                below[group]?.contains($0[0]) == true && below[$0[0]]?.contains(group) == true
            }
            if let twin { ordered[twin].append(group) } else { ordered.append([group]) }
        }
        // A group depends on more groups than each group below it.
        ordered.sort { (below[$0[0]]?.count ?? 0, $0[0]) < (below[$1[0]]?.count ?? 0, $1[0]) }
    }
}
