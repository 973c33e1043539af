import ModuleKit

/// The dependencies between the packages of a tree, which follow from those between their targets.
package struct PackageGraph: Sendable {
    package let edges: [DependencyEdge]
    /// The edges from each package, by its index in the tree.
    package let outgoing: [[DependencyEdge]]
    /// The edges to each package.
    package let incoming: [[DependencyEdge]]

    /// Complexity: O(*packages* + *dependencies* + *imports*).
    package init(_ tree: Tree) {
        let graph = TargetGraph(tree, includesMirrors: true)
        var found: [[Int]: DependencyEdge] = [:]
        for (node, edges) in zip(graph.nodes, graph.outgoing) {
            let from = node.package.index
            // The files of a mirror import for their own package.
            let isMirror = tree.isMirror(node.target, of: node.package)
            for (to, edges) in Dictionary(grouping: edges, by: { graph.nodes[$0.to].package.index })
            where to != from && !(isMirror && edges.allSatisfy(\.declarations.isEmpty)) {
                var edge = DependencyEdge(from: from, to: to, isTest: node.target.kind == .test)
                let key = [from, to, edge.isTest ? 1 : 0]
                edge = found[key] ?? edge
                edge.add(
                    declarations: edges.flatMap(\.declarations).sorted(),
                    imports: isMirror ? [] : edges.flatMap(\.imports).sorted())
                found[key] = edge
            }
        }
        edges = found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        outgoing = edges.grouped(by: \.from, count: tree.packages.count)
        incoming = edges.grouped(by: \.to, count: tree.packages.count)
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
