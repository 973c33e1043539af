import Foundation
import ModuleEdits
import ModuleKit
import ModuleTree

/// What `init` finds in a repository: which folders hold packages, and which targets are apps.
struct FoundTree {
    /// A layer for each folder with libraries. If there are several, only a person knows which may depend on which.
    private(set) var libraries: [Layer] = []
    /// The folders of apps: each of their packages has an executable.
    private let appFolders: [String]
    /// The Xcode projects: folders `X.xcodeproj`, relative to the root.
    let projects: [String]
    /// The executable targets, each with its package.
    let apps: [(package: LocalPackage, target: LocalTarget)]
    /// The manifests that declare many libraries, each with their number.
    let largeManifests: [(path: String, count: Int)]
    /// The manifests that cannot be read, and on which no other package depends.
    let unread: [UnreadManifest]
    private let root: TreeRoot

    init(_ root: TreeRoot) throws {
        let tree = try root.readableTree()
        try tree.refuseUnreadDependencies()
        (self.root, unread) = (root, tree.unread)
        projects = tree.listing.projects
        apps = tree.packages.flatMap { package in
            package.targets.filter { $0.kind == .executable }.map { (package, $0) }
        }
        largeManifests = tree.largeManifests
        // A package inside another one, such as an example, belongs to that package's group.
        let outer = tree.packages.filter { package in
            !package.path.isEmpty && !tree.packages.contains { package.path.hasPrefix($0.path + "/") }
        }
        let used = Set(
            tree.packages.flatMap(\.manifest.dependencies).filter { $0.path != nil }.map(\.identity))
        func hasApp(_ package: LocalPackage) -> Bool { package.targets.contains { $0.kind == .executable } }
        // A group is a folder that contains packages, an app directly below the root, or "" for the libraries there.
        let parents = Set(outer.map { PathText.split($0.path).folder }).subtracting([""])
        let groups = Dictionary(grouping: outer) { package in
            let isApp = hasApp(package) && !used.contains(package.name.lowercased())
            return parents.filter { package.path.hasPrefix($0 + "/") }.min { $0.count < $1.count }
                ?? (isApp ? package.path : "")
        }.sorted { $0.key < $1.key }
        appFolders = groups.filter { !$0.key.isEmpty && $0.value.allSatisfy(hasApp) }.map(\.key)
        for (folder, packages) in groups where !appFolders.contains(folder) {
            // The folders of layers cannot contain each other. Then the layer has no folder for new packages.
            let isDivided = folder.isEmpty || Self.umbrella(root).isInside(folder)
            // A package whose name ends in 'Api' would be taken for half of a pair.
            let suffix = root.configuration.apiSuffix
            let hasPairs = !isDivided && !packages.contains { $0.name.hasSuffix(suffix) }
            libraries.append(
                Layer(
                    Self.name(for: folder, besides: libraries),
                    folders: isDivided ? packages.map(\.path) : [folder], pairs: hasPairs ? .optional : .none)
            )
        }
    }

    /// The folder of the package that will link the pairs.
    static func umbrella(_ root: TreeRoot) -> String { root.spelled("Apps/AppModules") }

    /// All layers: the libraries, one layer for the Apis and one for the apps.
    ///
    /// - Parameters:
    ///   - ordered: The layers of libraries from bottom to top.
    ///   - base: The folder for copies of packages that all layers may use; nil for no copies.
    func layers(_ ordered: [Layer], base: String?) -> [Layer] {
        var layers = ordered
        if let base, !layers.contains(where: { $0.contains(base) }) {
            layers.insert(Layer(Self.name(for: base, besides: layers), folders: [base]), at: 0)
        }
        if !layers.contains(where: { $0.pairs == .optional || $0.pairs == .required }) {
            let folder = root.spelled("Pairs")
            layers.append(
                Layer(Self.name(for: folder, besides: layers), folders: [folder], pairs: .optional))
        }
        let umbrella = Self.umbrella(root)
        let isInside = appFolders.contains(where: umbrella.isInside)
        return [Layer("Api", pairs: .apis)] + layers
            + [Layer("Apps", folders: appFolders + (isInside ? [] : [umbrella]), isApps: true)]
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
    private static func name(for folder: String, besides layers: [Layer]) -> String {
        let taken = (["Api", "Apps"] + layers.map(\.name)).map { $0.lowercased() }
        var name = PathText.split(folder).name.replacing(/[^A-Za-z0-9]/, with: "-")
        if name.first?.isLetter != true { name = "Packages" + name }
        while taken.contains(name.lowercased()) { name += "-2" }
        return name
    }
}
