import ModuleKit
import ModuleTree
import ModuleVersions

/// The packages, pairs and targets of a tree, and the dependencies between the targets, as data for other programs:
/// `modules graph --format json`.
package struct GraphDocument: Encodable {
    struct Package: Encodable {
        let name, path, kind: String
        let layer, pair, version: String?
        let targets: [Target]
    }
    struct Target: Encodable {
        let name, kind: String
        let files: Int
    }
    struct Pair: Encodable {
        let name, api, version, floor: String
    }
    struct Dependency: Encodable {
        let from, to: End
        /// The places of the declarations in manifests, and those of the imports in sources.
        let declared, imported: [String]
    }
    /// A target of the tree, or a product of a remote package.
    struct End: Encodable {
        /// The path of a package of the tree, or the identity of a remote one; nil if several may provide the product.
        let package: String?
        var target: String?
        var product: String?
    }

    let name: String
    /// The names of the layers, from bottom to top.
    let layers: [String]
    private(set) var packages: [Package]
    private(set) var pairs: [Pair]
    /// The dependencies between the targets, and those on products of remote packages. The root's declarations of other
    /// packages' targets have none.
    private(set) var dependencies: [Dependency]

    /// - Parameters:
    ///   - table: The contents of VERSIONS.md, if the packages have versions.
    ///   - focus: The name of a package, a target or a pair, of which only the direct callers and dependencies are kept;
    ///     nil for the whole tree.
    package init(_ tree: Tree, _ table: VersionsFile?, focus: String? = nil) throws(Diagnostic) {
        name = tree.name
        layers = tree.configuration?.layers.map(\.name) ?? []
        packages = tree.packages.map { package in
            let row = table?.row(of: package.pairName)
            let version =
                switch package.role {
                case .api: row?.api.version
                case .imp: row?.imp
                default: table?.library(package.name)?.version
                }
            let isHalf = package.role == .api || package.role == .imp
            return Package(
                name: package.name, path: package.shownPath, kind: package.role.kind,
                layer: package.layer?.name, pair: isHalf ? package.pairName : nil,
                version: version?.description,
                targets: package.targets.map {
                    Target(name: $0.name, kind: $0.kind.rawValue, files: $0.files.count)
                })
        }
        pairs = (table?.rows ?? []).map { row in
            Pair(
                name: row.module, api: row.api.description, version: row.imp.description,
                floor: row.floor.description)
        }
        let graph = TargetGraph(tree)
        dependencies = graph.nodes.indices.flatMap { index in
            graph.outgoing[index].map { edge in
                Dependency(from: End(graph.nodes[index]), to: End(graph.nodes[edge.to]), edge)
            } + graph.nodes[index].listedRemotes(in: tree)
        }
        if let focus { try keepNeighbours(of: focus) }
    }

    private mutating func keepNeighbours(of name: String) throws(Diagnostic) {
        let chosen = packages.filter { [$0.name, $0.path, $0.pair].contains(name) }.map(\.path)
        func isChosen(_ end: End) -> Bool {
            end.target == name || end.product == name || end.package.map(chosen.contains) == true
        }
        dependencies.removeAll { !isChosen($0.from) && !isChosen($0.to) }
        let owners = packages.filter { $0.targets.contains { $0.name == name } }.map(\.path)
        guard !chosen.isEmpty || !owners.isEmpty || !dependencies.isEmpty else {
            throw GraphView.unknown(name, among: packages.flatMap { [$0.name] + $0.targets.map(\.name) })
        }
        let seen = Set(dependencies.flatMap { [$0.from.package, $0.to.package] } + chosen + owners)
        packages.removeAll { !seen.contains($0.path) }
        let names = Set(packages.map(\.pair))
        pairs.removeAll { !names.contains($0.name) }
    }

    /// One line for each package, the top layer first. Columns without any content are left out.
    package var text: String {
        let ranks = Dictionary(zip(layers, layers.indices)) { first, _ in first }
        func rank(_ package: Package) -> Int { package.layer.flatMap { ranks[$0] } ?? -1 }
        let sorted = packages.sorted { (-rank($0), $0.path) < (-rank($1), $1.path) }
        let rows = sorted.map { package in
            return [
                package.layer ?? "", package.kind, package.name, package.version ?? "",
                Spelling.count(package.targets.count, "target"), package.path,
            ]
        }
        let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).filter { $0.1 > 0 }.map { cell, width in
                cell + String(repeating: " ", count: width - cell.count) + "  "
            }.joined() + row[5] + "\n"
        }.joined()
    }
}

extension GraphDocument.Dependency {
    init(from: GraphDocument.End, to: GraphDocument.End, _ edge: DependencyEdge) {
        (self.from, self.to) = (from, to)
        declared = edge.declarations.map(\.description)
        imported = edge.imports.map(\.description)
    }
}

extension GraphDocument.End {
    init(_ node: TargetGraph.Node) { self.init(package: node.package.shownPath, target: node.target.name) }
}

extension TargetGraph.Node {
    /// The dependencies on products of remote packages, as the document lists them.
    fileprivate func listedRemotes(in tree: Tree) -> [GraphDocument.Dependency] {
        remoteDependencies(in: tree).map { product, packages in
            GraphDocument.Dependency(
                from: .init(self),
                to: .init(package: packages.count == 1 ? packages[0] : nil, product: product.name),
                declared: [target.place(of: product, in: package).description],
                imported: target.imports(ofProducts: [product.name]).map(\.description))
        }
    }
}

extension LocalPackage {
    /// The path relative to the root; "." for the root.
    fileprivate var shownPath: String { path.isEmpty ? "." : path }
}

extension PackageRole {
    /// The name of the role in the document. A package outside the layers is listed as "package".
    fileprivate var kind: String {
        switch self {
        case .api, .imp, .facade, .app: rawValue
        case .plain: "library"
        case .other: "package"
        }
    }
}
