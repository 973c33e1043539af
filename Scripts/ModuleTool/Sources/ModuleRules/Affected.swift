import ModuleTree

/// What a change of some files can reach: the targets that hold them, and whatever depends on those.
///
/// An IMP is depended on by apps and its own tests alone, so a change inside of it stays there; a change of
/// its Api reaches every caller.
package struct Affected: Sendable {
    /// A package that a change reaches.
    package struct Reached: Sendable, Hashable {
        /// The package's path.
        package let path: String
        /// The package's name.
        package let name: String
        /// The module through which it is reached; nil when its own files changed.
        package let through: String?
    }

    /// By path.
    package let packages: [Reached]

    /// The names of test targets, sorted.
    package let tests: [String]

    /// - Parameter changed: Paths relative to the root; a file that is gone counts.
    ///
    /// Complexity: O(*files* · log *targets* + *dependencies*).
    package init(_ tree: Tree, changed: Set<String>) {
        var callers: [String: [String]] = [:]
        var owner: [String: LocalPackage] = [:]
        var isTest: Set<String> = []
        var folders: [String: [String]] = [:]
        for package in tree.packages {
            for target in package.targets where !tree.isMirror(target, of: package) {
                owner[target.name] = package
                folders[target.folder, default: []].append(target.name)
                if target.kind == .test { isTest.insert(target.name) }
                for module in target.dependencies.flatMap({ tree.modules(of: $0, in: package) }) {
                    callers[module, default: []].append(target.name)
                }
            }
        }
        var through: [String: String?] = [:]
        var queue: [String] = []
        func reach(_ target: String, from module: String?) {
            guard through[target] == nil else { return }
            through[target] = .some(module)
            queue.append(target)
        }
        for path in changed.sorted() {
            if path == "Package.swift" || path.hasSuffix("/Package.swift") {
                let package = tree.owner(ofFolder: path == "Package.swift" ? "" : String(path.dropLast(14)))
                for target in package?.targets ?? [] { reach(target.name, from: nil) }
            }
            var folder = path
            while let slash = folder.lastIndex(of: "/") {
                folder = String(folder[..<slash])
                for target in folders[folder] ?? [] { reach(target, from: nil) }
            }
        }
        var head = 0
        while head < queue.count {
            let module = queue[head]
            head += 1
            for caller in callers[module] ?? [] { reach(caller, from: module) }
        }
        var packages: [String: Reached] = [:]
        for target in queue {
            guard let package = owner[target], packages[package.path] == nil else { continue }
            packages[package.path] = Reached(
                path: package.path, name: package.name, through: through[target].flatMap(\.self))
        }
        self.packages = packages.values.sorted { $0.path < $1.path }
        tests = queue.filter(isTest.contains).sorted()
    }

    /// What the changes since a revision reach, uncommitted ones included.
    ///
    /// - Throws: ``ModuleTree/TreeError`` when the revision or the history is missing.
    package init(_ tree: Tree, since revision: String) throws {
        let git = try GitRepository(root: tree.root)
        self.init(tree, changed: try git.changes(since: try git.commit(revision)))
    }
}
