import ModuleKit

package struct PackageGraph: Sendable {
    package let tree: Tree
    package let edges: [DependencyEdge]

    /// The edges of each package, by its index in the tree.
    package let outgoing: [[DependencyEdge]]

    /// Complexity: O(*packages* + *dependencies* + *imports*).
    package init(_ tree: Tree) {
        self.tree = tree
        var found: [[Int]: DependencyEdge] = [:]
        for (from, package) in tree.packages.enumerated() {
            for target in package.targets {
                let isTest = target.kind == .test
                func edit(_ other: LocalPackage?, _ edit: (inout DependencyEdge) -> Void) {
                    guard let to = other?.index, to != from else { return }
                    let key = [from, to, isTest ? 1 : 0]
                    edit(&found[key, default: DependencyEdge(from: from, to: to, isTest: isTest)])
                }
                for dependency in target.dependencies {
                    let place = target.place(of: dependency, in: package)
                    edit(tree.package(owning: dependency, of: package)) { $0.declare(at: place) }
                }
                guard !tree.isMirror(target, of: package) else { continue }
                for (file, imported) in target.imports {
                    edit(tree.package(ofModule: imported.module, for: package)) {
                        $0.imports.append(file.place(imported.position))
                    }
                }
            }
        }
        edges = found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        var outgoing = Array(repeating: [DependencyEdge](), count: tree.packages.count)
        for edge in edges { outgoing[edge.from].append(edge) }
        self.outgoing = outgoing
    }

    /// The shortest cycle in each group of packages that depend on each other, ignoring dependencies of
    /// tests.
    ///
    /// Complexity: O(*packages* · *edges*).
    package func shortestCycles() -> [[DependencyEdge]] {
        let edges = outgoing.map { $0.filter { !$0.isTest } }
        let reached = edges.map { Set(reachable(from: $0.map(\.to)) { edges[$0].map(\.to) }) }
        var grouped: Set<Int> = []
        return edges.indices.compactMap { start in
            guard reached[start].contains(start), !grouped.contains(start) else { return nil }
            let group = edges.indices.filter { reached[start].contains($0) && reached[$0].contains(start) }
            grouped.formUnion(group)
            return group.compactMap { edges.shortestPath(from: [$0], to: [$0]) }.min { $0.count < $1.count }
        }
    }
}

extension Tree {
    /// A package and all local packages that its manifest declares as dependencies, directly or indirectly.
    package func dependencies(of package: LocalPackage) -> [LocalPackage] {
        reachable(from: [package.index]) { index in
            packages[index].manifest.dependencies.compactMap {
                self.package(reachedBy: $0, of: packages[index])?.index
            }
        }.map { packages[$0] }
    }

    /// Whether a target compiles the files of another package's target. The test targets of the root
    /// package are mirrors, so that one `swift test` runs all tests.
    package func isMirror(_ target: LocalTarget, of package: LocalPackage) -> Bool {
        owner(ofFolder: target.folder).map { $0.path != package.path } ?? false
    }
}
