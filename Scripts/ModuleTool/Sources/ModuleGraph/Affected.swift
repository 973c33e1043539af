import Foundation
import ModuleKit
import ModuleTree

/// The targets that a change can affect: the targets that contain the changed files, and all their
/// dependents.
///
/// An IMP is used only by apps and by its own tests, so its changes spread no further. A change to an Api affects every
/// caller. A changed file outside all targets may still affect builds and tests. In a package below the root, such a
/// file affects that package. Anywhere else (the root manifest, scripts, CI), it affects everything. A document (`.md`)
/// outside all targets affects only the tests of its package and of the root, and a moved pin in Package.resolved only
/// the targets that use the pinned package. A file also affects the targets for which `.modules.yml` lists it in `reads`.
package struct Affected: Sendable {
    package enum Kind: String, Sendable {
        case package, target
    }

    package struct Reached: Sendable, Hashable {
        package let kind: Kind
        package let path: String
        package let name: String
        /// The changed or affected dependency; nil if the package's own files changed.
        package let through: String?
    }

    /// The packages, and the targets of packages with several targets. Tests are excluded.
    package let packages: [Reached]
    package let tests: [String]

    /// The affected test targets of one package.
    package struct PackageTests: Sendable, Hashable {
        /// The package's path; "" for the root.
        package let package: String
        /// The names of the test targets; nil means all tests of the package.
        package let tests: [String]?
    }

    /// The affected tests of packages, grouped by the package to run them in. The root package runs every test target
    /// that its manifest declares, including test targets of other packages.
    package let testsOfPackages: [PackageTests]

    /// Computes what a change to these files affects.
    ///
    /// - Parameters:
    ///   - changed: Paths relative to the root, including the paths of deleted files.
    ///   - pins: The identities of the packages whose pins have moved, for each of these files that is a
    ///     Package.resolved and can be compared.
    /// - Complexity: O(*files* · log *targets* + *dependencies*).
    package init(_ tree: Tree, changed: Set<String>, pins: [String: Set<String>] = [:]) {
        let graph = TargetGraph(tree)
        let holders = Dictionary(grouping: graph.nodes.indices) { graph.nodes[$0].target.folder }
        let root = tree.rootPackage
        /// The targets that a changed file belongs to or may affect otherwise, and those that `reads` says read it.
        func targets(of path: String) -> [Int] {
            let readers = tree.names.reads.filter { entry in
                entry.files.contains { $0.isEmpty || path == $0 || path.isInside($0) }
            }.flatMap(\.targets)
            return owners(of: path)
                + graph.nodes.indices.filter { readers.contains(graph.nodes[$0].target.name) }
        }
        func owners(of path: String) -> [Int] {
            let held = PathText.upward(path).flatMap { holders[$0] ?? [] }
            if !held.isEmpty { return held }
            let owner = tree.owner(ofFolder: PathText.split(path).folder)
            let users = owner.flatMap { owner in pins[path].map { tree.users(ofPins: $0, resolvedBy: owner) }
            }
            let isOfRoot = owner == nil || owner?.path == root?.path
            return graph.nodes.indices.filter { index in
                let (package, target) = (graph.nodes[index].package, graph.nodes[index].target)
                if let users { return users.contains(target.folder) }
                let isHere = package.path == owner?.path
                guard [".md", ".markdown"].contains(where: path.hasSuffix) else { return isOfRoot || isHere }
                return target.kind == .test && (isHere || package.path == root?.path)
            }
        }
        // Git reports the path of the file itself, but a target may compile the file through a link to the file or to its
        // folder.
        let linkedFiles = tree.listing.linkedFiles.filter { changed.contains($0.target) }.map(\.link)
        let linked = tree.listing.linkedFolders.flatMap { link, folder in
            changed.compactMap { path in
                path == link
                    ? link + "/" : path.hasPrefix(folder + "/") ? link + path.dropFirst(folder.count) : nil
            }
        }
        var own: Set<Int> = []
        let start = changed.union(linked).union(linkedFiles).sorted().flatMap(targets).filter {
            own.insert($0).inserted
        }
        var through: [Int: String] = [:]
        let reached = reachable(from: start) { target in
            let next = graph.incoming[target].map(\.from)
            for caller in next where !own.contains(caller) && through[caller] == nil {
                through[caller] = graph.nodes[target].target.module
            }
            return next
        }
        var packages: [String: Reached] = [:]
        for index in reached {
            func list(_ kind: Kind, _ path: String, _ name: String) {
                guard packages[path] == nil else { return }
                packages[path] = Reached(kind: kind, path: path, name: name, through: through[index])
            }
            let (package, target) = (graph.nodes[index].package, graph.nodes[index].target)
            list(.package, package.path, package.name)
            if target.kind != .test, package.targets.count(where: { $0.kind != .test }) > 1 {
                list(.target, package.path + ":" + target.name, target.name)
            }
        }
        self.packages = packages.values.sorted { $0.path < $1.path }
        let tests = reached.map { graph.nodes[$0] }.filter { $0.target.kind == .test }
        self.tests = Set(tests.map(\.target.name)).sorted()
        testsOfPackages = Self.runs(of: tests.map { ($0.package.path, $0.target) }, in: tree)
    }

    private static func runs(of tests: [(package: String, target: LocalTarget)], in tree: Tree)
        -> [PackageTests]
    {
        func declared(by package: LocalPackage?) -> [LocalTarget] {
            package?.targets.filter { $0.kind == .test } ?? []
        }
        let byRoot = Set(declared(by: tree.rootPackage).map(\.folder))
        let places = Dictionary(grouping: tests) { byRoot.contains($0.target.folder) ? "" : $0.package }
        return places.sorted { $0.key < $1.key }.map { path, tests in
            let all = declared(by: tree.package(in: path))
            return PackageTests(
                package: path, tests: all.count == tests.count ? nil : tests.map(\.target.name).sorted())
        }
    }

    /// Computes what the changes since the merge base of `HEAD` and a revision affect, including uncommitted changes. The
    /// sources that git ignores count as changed.
    package init(_ tree: Tree, since revision: String) throws {
        let git = try GitRepository(root: tree.root, allowsShallow: true)
        // Git does not ignore build folders in every repository.
        let base = try git.base(revision)
        let changed = try git.changes(since: base).filter { path in
            !path.split(separator: "/").contains { [".build", ".swiftpm"].contains($0) }
        }
        let files = changed.filter { PathText.split($0).name == "Package.resolved" }
        let old = try git.contents(files.map { git.blob($0, at: base) })
        let pins = zip(files, old).compactMap { path, old in
            let new = FileManager.default.contents(atPath: tree.root + "/" + path)
            return Pin.moved(from: old, to: new).map { (path, $0) }
        }
        // Git does not know whether a source that it ignores has changed, such as generated code.
        let sources = tree.packages.flatMap { $0.targets.flatMap(\.files) }.map(\.path).filter { path in
            !tree.listing.linkedFolders.contains { path.isInside($0.link) }
        }
        self.init(
            tree, changed: changed.union(try git.ignored(among: sources)),
            pins: Dictionary(uniqueKeysWithValues: pins))
    }
}

/// A pinned version in Package.resolved.
private struct Pin: Decodable, Hashable {
    struct State: Decodable, Hashable {
        let revision: String?
        let version: String?
        let branch: String?
    }
    private struct File: Decodable { let pins: Set<Pin> }

    let identity: String
    let location: String
    let state: State

    /// The identities of the packages whose pins differ; nil if one of the files cannot be read.
    static func moved(from old: Data?, to new: Data?) -> Set<String>? {
        guard let old, let new, let before = try? JSONDecoder().decode(File.self, from: old),
            let after = try? JSONDecoder().decode(File.self, from: new)
        else { return nil }
        return Set(before.pins.symmetricDifference(after.pins).map(\.identity))
    }
}

extension Tree {
    /// The folders of the targets that use a pinned package, among the packages that a package's Package.resolved
    /// pins for. Any remote package may use a package that no manifest of the tree declares.
    fileprivate func users(ofPins pins: Set<String>, resolvedBy package: LocalPackage) -> Set<String> {
        let all = dependencies(of: package)
        let declared = Set(all.flatMap(\.manifest.dependencies).filter { $0.path == nil }.map(\.identity))
        let uses = all.flatMap { package in
            package.targets.flatMap { target in
                target.dependencies.map { (target.folder, identities(of: $0, in: package)) }
            }
        }
        let reached = pins.isSubset(of: declared) ? pins : declared
        return Set(uses.filter { !reached.isDisjoint(with: $0.1) }.map(\.0))
    }
}
