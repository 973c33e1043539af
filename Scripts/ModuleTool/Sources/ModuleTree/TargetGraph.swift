/// The dependencies between the targets of a tree, from manifests and imports.
package struct TargetGraph: Sendable {
    package struct Node: Sendable {
        package let package: LocalPackage
        package let target: LocalTarget
    }

    package struct Edge: Sendable, GraphEdge {
        package let from: Int
        package let to: Int
        /// The places in the manifest or the project that declare the dependency.
        package fileprivate(set) var declarations: [SourcePlace] = []
        /// The places in source files that import the other target.
        package fileprivate(set) var imports: [SourcePlace] = []
    }

    /// All targets, except the root's declarations of other packages' targets.
    package let nodes: [Node]
    package let edges: [Edge]
    /// The edges of each target, by its index in ``nodes``.
    package let outgoing: [[Edge]]

    /// Complexity: O(*targets* + *dependencies* + *imports*).
    package init(_ tree: Tree) {
        let nodes = tree.packages.flatMap { package in
            package.targets.filter { !tree.isMirror($0, of: package) }.map {
                Node(package: package, target: $0)
            }
        }
        let indices = Dictionary(
            uniqueKeysWithValues: nodes.enumerated().map { (ObjectIdentifier($1.target), $0) })
        var outgoing: [[Edge]] = []
        for (from, node) in nodes.enumerated() {
            var found: [Int: Edge] = [:]
            func edit(_ target: LocalTarget, _ edit: (inout Edge) -> Void) {
                guard let to = indices[ObjectIdentifier(target)], to != from else { return }
                edit(&found[to, default: Edge(from: from, to: to)])
            }
            for dependency in node.target.dependencies {
                let position = dependency.position ?? node.target.declaration.position
                let place = position.in(node.package.manifestPath)
                for target in tree.targets(of: dependency, in: node.package) {
                    edit(target) { $0.declarations.append(place) }
                }
            }
            for file in node.target.files {
                for imported in file.facts.imports where imported.module != node.target.module {
                    let owner = tree.package(ofModule: imported.module, for: node.package)
                    let target = owner?.targets.first { $0.module == imported.module }
                    if let target { edit(target) { $0.imports.append(file.place(imported.position)) } }
                }
            }
            outgoing.append(found.values.sorted { $0.to < $1.to })
        }
        (self.nodes, self.outgoing) = (nodes, outgoing)
        edges = outgoing.flatMap(\.self)
    }
}
