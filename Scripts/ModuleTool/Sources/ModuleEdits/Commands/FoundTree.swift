import Foundation
import ModuleTree

/// The layers and apps that `init` finds in a repository.
struct FoundTree {
    /// The layers of libraries, one for the Apis and one for the apps.
    private(set) var layers: [Layer] = []
    /// The folder that contains the layers; "" for the root.
    private(set) var folder: String
    /// The folder for copies of packages that all layers may use.
    private(set) var base: String
    /// The folder of the package that will link the pairs.
    let umbrella: String
    /// A layer for each folder with libraries. If there are several, only a person knows which may depend on which.
    private(set) var libraries: [Layer] = []
    /// The Xcode projects: folders `X.xcodeproj`, relative to the root.
    let projects: [String]
    /// The executable targets, each with its package.
    let apps: [(package: LocalPackage, target: LocalTarget)]

    /// - Parameters:
    ///   - needsBase: Whether copies of packages will be added.
    ///   - ordered: The layers of libraries from bottom to top; nil to make a layer of each folder with packages.
    init(_ root: HouseRoot, needsBase: Bool, ordered: [Layer]?) throws {
        let tree = try root.tree()
        umbrella = root.spelled("Apps/AppModules")
        (folder, base) = (root.spelled("Packages"), root.spelled("Packages/Base"))
        projects = try FileListing(root: tree.root, exclude: tree.configuration?.exclude ?? []).projects
        apps = tree.packages.flatMap { package in
            package.targets.filter { $0.kind == .executable }.map { (package, $0) }
        }
        let groups = PackageGroups(tree.packages.filter { !$0.path.isEmpty })
        for key in groups.libraries {
            let members = groups.members[key] ?? []
            // A package whose name ends in 'Api' would be taken for half of a pair, and a layer of packages at the
            // root has no folder for new packages.
            let suffix = Configuration().apiSuffix
            let hasPairs = !key.isEmpty && !members.contains { $0.name.hasSuffix(suffix) }
            layers.append(
                Layer(
                    name(for: key),
                    // The folders of layers cannot contain each other.
                    folders: key.isEmpty || umbrella.isInside(key) ? members.map(\.path) : [key],
                    pairs: hasPairs ? .optional : .none))
        }
        libraries = layers
        layers = ordered ?? layers
        let folders = groups.libraries.filter { !$0.isEmpty && !umbrella.isInside($0) }
        if !folders.isEmpty { folder = PathText.common(folders) }
        let isFlat = folders == [folder]
        base = isFlat ? folder : root.spelled(PathText.join(folder, "Base"))
        if needsBase, !layers.contains(where: { $0.folders.contains(base) }) {
            layers.insert(Layer(name(for: base), folders: [base]), at: 0)
        }
        if !layers.contains(where: { $0.pairs == .optional }) {
            if isFlat { folder = "" }
            let taken = layers.flatMap(\.folders)
            let free = ["Modules", "Pairs", "ModulePairs"].map { root.spelled(PathText.join(folder, $0)) }
                .first { free in !taken.contains { free.isInside($0) || $0.isInside(free) } }
            if let free { layers.append(Layer(name(for: free), folders: [free], pairs: .optional)) }
        }
        // The new package may lie in a folder that already belongs to the layer of apps.
        let isInside = groups.apps.contains(where: umbrella.isInside)
        layers =
            [Layer("Api", pairs: .apis)] + layers
            + [Layer("Apps", folders: groups.apps + (isInside ? [] : [umbrella]), isApps: true)]
    }

    /// The target that will link the pairs: the one called `name` or, if `name` is nil, the only executable of the
    /// root package or else of the tree.
    func app(_ name: String?) throws(Diagnostic) -> (package: LocalPackage, target: LocalTarget)? {
        let own = apps.filter { $0.package.path.isEmpty }
        guard let name else { return own.count == 1 ? own[0] : apps.count == 1 ? apps[0] : nil }
        guard let app = apps.first(where: { $0.target.name == name }) else {
            throw Diagnostic(
                .configuration, "--app \(name): there is no such app.",
                why: "The pairs are linked into an executable target.",
                fix: Spelling.choice(for: name, among: apps.map(\.target.name)))
        }
        return app
    }

    /// A name for a folder's layer, different from the names of all other layers.
    private func name(for folder: String) -> String {
        func word(_ text: String) -> String {
            let word = text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "-" }.joined()
            return word.first?.isLetter == true ? word : "Packages" + word
        }
        let taken = (["Api", "Apps"] + layers.map(\.name)).map { $0.lowercased() }
        var name = word(PathText.split(folder).name)
        if taken.contains(name.lowercased()) { name = word(folder) }
        while taken.contains(name.lowercased()) { name += "-2" }
        return name
    }
}

/// The packages of a tree, grouped by the folder that contains them. Packages directly below the root are the group "".
private struct PackageGroups {
    private(set) var members: [String: [LocalPackage]] = [:]
    /// The groups of apps: each of their packages has an executable. An app directly below the root is a group of its
    /// own, named after its folder.
    private(set) var apps: [String] = []
    /// The other groups, sorted by name.
    private(set) var libraries: [String] = []

    init(_ packages: [LocalPackage]) {
        // A package inside another one, such as an example, belongs to that package's group.
        let outer = packages.filter { package in
            !packages.contains { package.path.hasPrefix($0.path + "/") }
        }
        let parents = Set(outer.map { PathText.split($0.path).folder }).subtracting([""])
        let used = Set(packages.flatMap(\.manifest.dependencies).filter { $0.path != nil }.map(\.identity))
        for package in outer {
            let isApp =
                package.targets.contains { $0.kind == .executable }
                && !used.contains(package.name.lowercased())
            if isApp, !package.path.contains("/") {
                members[package.path] = [package]
                continue
            }
            let group = parents.filter { package.path.hasPrefix($0 + "/") }.min { $0.count < $1.count } ?? ""
            members[group, default: []].append(package)
        }
        apps = members.keys.filter { key in
            !key.isEmpty
                && members[key]?.allSatisfy { $0.targets.contains { $0.kind == .executable } } == true
        }.sorted()
        libraries = members.keys.filter { !apps.contains($0) }.sorted()
    }
}
