import ModuleTree

/// The targets that a change can affect: the targets that contain the changed files, and all their
/// dependents.
///
/// An IMP is used only by apps and by its own tests, so its changes spread no further. A change of an Api
/// affects every caller. A changed file outside all targets may still affect builds and tests. In a package
/// below the root, such a file affects that package; anywhere else (the root manifest, scripts, CI), it affects
/// every package. A document (`.md`) outside all targets affects only the tests of its package and of the root.
package struct Affected: Sendable {
    package struct Reached: Sendable, Hashable {
        package let path: String
        package let name: String
        /// The changed or affected dependency; nil if the package's own files changed.
        package let through: String?
    }

    package let packages: [Reached]

    package let tests: [String]

    /// The affected test targets of one package.
    package struct TestRun: Sendable, Hashable {
        /// The package's path; "" for the root.
        package let package: String
        /// The names of the test targets; nil means all tests of the package.
        package let tests: [String]?
    }

    /// The affected tests, grouped by the package to run them in. The root package runs every test target
    /// that its manifest declares, including test targets of other packages.
    package let testRuns: [TestRun]

    /// Computes what a change of these files affects.
    ///
    /// - Parameter changed: Paths relative to the root, including the paths of deleted files.
    /// - Complexity: O(*files* · log *targets* + *dependencies*).
    package init(_ tree: Tree, changed: Set<String>) {
        var callers: [Target: [Target]] = [:]
        var declared: [Target: LocalTarget] = [:]
        var folders: [String: [Target]] = [:]
        for package in tree.packages {
            for target in package.targets where !tree.isMirror(target, of: package) {
                let caller = Target(package: package.path, module: target.module)
                declared[caller] = target
                folders[target.folder, default: []].append(caller)
                for dependency in target.dependencies {
                    let owner = tree.package(owning: dependency, of: package)?.path ?? package.path
                    for module in tree.modules(of: dependency, in: package) {
                        callers[Target(package: owner, module: module), default: []].append(caller)
                    }
                }
            }
        }
        var through: [Target: String?] = [:]
        var queue: [Target] = []
        func reach(_ target: Target, from module: String?) {
            guard declared[target] != nil, through[target] == nil else { return }
            through[target] = .some(module)
            queue.append(target)
        }
        let root = tree.rootPackage
        // git reports the path of the file itself, and a target may compile the file through a link to its folder.
        let linked = tree.linkedFolders.flatMap { link, folder in
            changed.compactMap { path in
                path == link
                    ? link + "/" : path.hasPrefix(folder + "/") ? link + path.dropFirst(folder.count) : nil
            }
        }
        for path in changed.union(linked).sorted() {
            var folder = path
            var isHeld = false
            while let slash = folder.lastIndex(of: "/") {
                folder = String(folder[..<slash])
                for target in folders[folder] ?? [] {
                    reach(target, from: nil)
                    isHeld = true
                }
            }
            if isHeld { continue }
            let owner = tree.owner(ofFolder: path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "")
            let isDocument = path.hasSuffix(".md")
            let isOfRoot = owner == nil || owner?.path == root?.path
            let packages =
                isOfRoot && !isDocument ? tree.packages : [owner, isDocument ? root : nil].compactMap(\.self)
            for package in packages {
                for target in package.targets where !isDocument || target.kind == .test {
                    // `reach` ignores the test targets that the root declares for other packages.
                    reach(Target(package: package.path, module: target.module), from: nil)
                }
            }
        }
        var head = 0
        while head < queue.count {
            let target = queue[head]
            head += 1
            for caller in callers[target] ?? [] { reach(caller, from: target.module) }
        }
        var packages: [String: Reached] = [:]
        for target in queue where packages[target.package] == nil {
            guard let package = tree.package(in: target.package) else { continue }
            packages[package.path] = Reached(
                path: package.path, name: package.name, through: through[target].flatMap(\.self))
        }
        self.packages = packages.values.sorted { $0.path < $1.path }
        let reachedTests = queue.filter { declared[$0]?.kind == .test }
        tests = Set(reachedTests.compactMap { declared[$0]?.name }).sorted()
        testRuns = Self.runs(
            of: reachedTests.compactMap { test in declared[test].map { (test.package, $0) } }, in: tree)
    }

    /// Identifies a target by package and module, because several packages may have targets of the same name.
    private struct Target: Hashable {
        let package: String
        let module: String
    }

    private static func runs(of tests: [(package: String, target: LocalTarget)], in tree: Tree) -> [TestRun] {
        func declared(by package: LocalPackage?) -> [LocalTarget] {
            package?.targets.filter { $0.kind == .test } ?? []
        }
        let byRoot = Set(declared(by: tree.rootPackage).map(\.folder))
        let places = Dictionary(grouping: tests) { byRoot.contains($0.target.folder) ? "" : $0.package }
        return places.sorted { $0.key < $1.key }.map { path, tests in
            let all = declared(by: tree.package(in: path))
            return TestRun(
                package: path, tests: all.count == tests.count ? nil : tests.map(\.target.name).sorted())
        }
    }

    /// Computes what the changes since the merge base of `HEAD` and a revision affect, including uncommitted
    /// changes.
    package init(_ tree: Tree, since revision: String) throws {
        let git = try GitRepository(root: tree.root)
        self.init(tree, changed: try git.changes(since: try git.base(revision)))
    }
}
