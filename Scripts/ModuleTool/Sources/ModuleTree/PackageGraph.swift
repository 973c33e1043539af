package struct PackageGraph: Sendable {
    package struct Edge: Sendable, GraphEdge {
        package let from: Int
        package let to: Int

        /// Whether test targets have this dependency. A dependency of other targets is a separate edge.
        package let isTest: Bool

        /// The places in the manifest that declare the dependency. If a dependency has no position of its
        /// own, this is the place of its target.
        package fileprivate(set) var declarations: [SourcePlace] = []
        fileprivate var known: Set<SourcePlace> = []

        /// The places in source files that import the other package.
        package fileprivate(set) var imports: [SourcePlace] = []

        /// The first declaration, or the first import if no manifest declares the dependency.
        package var place: SourcePlace { declarations.first ?? imports.first ?? SourcePlace(path: "") }
    }

    package let tree: Tree
    package let edges: [Edge]

    /// The edges of each package, by its index in the tree.
    package let outgoing: [[Edge]]

    /// Complexity: O(*packages* + *dependencies* + *imports*).
    package init(_ tree: Tree) {
        self.tree = tree
        var found: [[Int]: Edge] = [:]
        for (from, package) in tree.packages.enumerated() {
            for target in package.targets {
                let isTest = target.kind == .test
                func edit(_ other: LocalPackage?, _ edit: (inout Edge) -> Void) {
                    guard let to = other?.index, to != from else { return }
                    edit(
                        &found[
                            [from, to, isTest ? 1 : 0], default: Edge(from: from, to: to, isTest: isTest)])
                }
                for dependency in target.dependencies {
                    let place = (dependency.position ?? target.declaration.position).in(package.manifestPath)
                    edit(tree.package(owning: dependency, of: package)) { edge in
                        if edge.known.insert(place).inserted { edge.declarations.append(place) }
                    }
                }
                guard !tree.isMirror(target, of: package) else { continue }
                for file in target.files {
                    for imported in file.facts.imports {
                        edit(tree.package(ofModule: imported.module, for: package)) { edge in
                            edge.imports.append(file.place(imported.position))
                        }
                    }
                }
            }
        }
        edges = found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        var outgoing = Array(repeating: [Edge](), count: tree.packages.count)
        for edge in edges { outgoing[edge.from].append(edge) }
        self.outgoing = outgoing
    }

    /// The shortest cycle in each group of packages that depend on each other, ignoring dependencies of
    /// tests.
    ///
    /// Complexity: O(*packages* · *edges*).
    package func shortestCycles() -> [[Edge]] {
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
    /// The local package that provides a target's dependency.
    package func package(
        owning dependency: Manifest.TargetDependency, of package: LocalPackage
    ) -> LocalPackage? {
        if let name = dependency.package { return self.package(name, for: package) }
        if package.targets.contains(where: { $0.name == dependency.name }) { return package }
        for reached in package.manifest.dependencies {
            guard let other = self.package(reachedBy: reached, of: package) else { continue }
            if other.manifest.products.contains(where: { $0.name == dependency.name }) { return other }
        }
        return self.package(dependency.name, for: package)
    }

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
