import ModuleKit

/// The dependencies between the targets of a tree, from manifests and imports.
package struct TargetGraph: Sendable {
    package struct Node: Sendable {
        package let package: LocalPackage
        package let target: LocalTarget

        package init(package: LocalPackage, target: LocalTarget) {
            (self.package, self.target) = (package, target)
        }
    }

    /// All targets, by default without the root's declarations of other packages' targets.
    package let nodes: [Node]
    package let edges: [DependencyEdge]
    /// The edges from each target, by its index in ``nodes``.
    package let outgoing: [[DependencyEdge]]
    /// The edges to each target.
    package let incoming: [[DependencyEdge]]
    private let indices: [ObjectIdentifier: Int]

    /// Complexity: O(*targets* + *dependencies* + *imports*).
    package init(_ tree: Tree, includesMirrors: Bool = false) {
        let nodes = tree.packages.flatMap { package in
            package.targets.filter { includesMirrors || !tree.isMirror($0, of: package) }.map {
                Node(package: package, target: $0)
            }
        }
        let indices = Dictionary(
            uniqueKeysWithValues: nodes.enumerated().map { (ObjectIdentifier($1.target), $0) })
        var outgoing: [[DependencyEdge]] = []
        for (from, node) in nodes.enumerated() {
            var found: [Int: DependencyEdge] = [:]
            func edit(_ target: LocalTarget, _ edit: (inout DependencyEdge) -> Void) {
                guard let to = indices[ObjectIdentifier(target)], to != from else { return }
                edit(&found[to, default: DependencyEdge(from: from, to: to)])
            }
            for dependency in node.target.dependencies {
                let place = node.target.place(of: dependency, in: node.package)
                for target in tree.targets(of: dependency, in: node.package) {
                    edit(target) { $0.add(declarations: [place]) }
                }
            }
            for (file, imported) in node.target.imports where imported.module != node.target.module {
                let owner = tree.package(ofModule: imported.module, for: node.package)
                let target = owner?.targets.first { $0.module == imported.module }
                if let target { edit(target) { $0.add(imports: [file.place(imported.position)]) } }
            }
            outgoing.append(found.values.sorted { $0.to < $1.to })
        }
        (self.nodes, self.outgoing, self.indices) = (nodes, outgoing, indices)
        edges = outgoing.flatMap(\.self)
        incoming = edges.grouped(by: \.to, count: nodes.count)
    }

    /// The index of a target in ``nodes``.
    package func index(of target: LocalTarget) -> Int? { indices[ObjectIdentifier(target)] }

    /// The uses of a remote package or of its product: an edge for each target, which leads nowhere.
    package func uses(ofRemote name: String, in tree: Tree) -> [DependencyEdge] {
        nodes.enumerated().compactMap { index, node in
            let found = node.remoteDependencies(in: tree).filter {
                [$0.product.name, ModuleIdentifier.of($0.product.name)].contains(name)
                    || $0.packages == [name.lowercased()]
            }.map(\.product)
            guard !found.isEmpty else { return nil }
            var edge = DependencyEdge(from: index, to: index)
            edge.add(
                declarations: found.map { node.target.place(of: $0, in: node.package) },
                imports: node.target.imports(ofProducts: found.map(\.name)))
            return edge
        }
    }
}

extension TargetGraph.Node {
    /// The dependencies on products of remote packages, with the identities of the packages that may contain each.
    package func remoteDependencies(
        in tree: Tree
    ) -> [(product: Manifest.TargetDependency, packages: [String])] {
        target.dependencies.map { ($0, tree.identities(of: $0, in: package)) }.filter { !$1.isEmpty }
    }
}
