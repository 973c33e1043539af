import ModuleKit
import ModuleTree

/// What the HTML page draws: a box for each pair, library, app and target, and the dependencies between them.
///
/// A pair is one box: dependencies on its Api lead to the box, and those of its IMP start there.
package struct GraphMap: Encodable {
    struct Box: Encodable {
        enum Kind: String, Encodable {
            case app, pair, library, target
            /// An IMP that implements the Api of another pair.
            case alternative
            /// An Api without an IMP in the tree, or an IMP without an Api.
            case half
            /// A package of a tree without layers.
            case package
        }

        let name: String
        let kind: Kind
        let layer: String
        /// The folders of the box's packages, relative to the root: for a pair, that of the IMP comes first.
        var paths: [String]
        /// The box of the pair whose Api an alternative implements.
        var replaces: Int?
        /// The box of a target's package. A package with several targets is drawn as one box or as its targets.
        var package: Int?
        /// Whether the package is initially drawn as its targets. Like other values that are mostly empty, nil for none.
        var isOpen: Bool?
        /// The findings about the box's files.
        var findings: [Int]?
    }

    struct Arrow: Encodable {
        enum Kind: String, Encodable {
            /// Uses the Api of a pair.
            case calls
            /// Links the IMP of a pair into an app.
            case registers
            /// Implements the Api of another pair.
            case replaces
            /// Uses anything else.
            case uses
        }

        let from: Int
        let to: Int
        let kind: Kind
        let isWrong: Bool?
        /// The places of the dependency in source files, or else in manifests. To keep the page small, at most
        /// ``placeLimit``, without the column.
        var at: [String]
        /// The number of further places.
        var more: Int?
        let findings: [Int]?
    }

    /// A layer with boxes, or the layer of the Apis.
    struct Band: Encodable {
        let name: String
        /// The number of Apis that are drawn with their IMPs, in other layers.
        let apis: Int
    }

    private(set) var boxes: [Box] = []
    private(set) var arrows: [Arrow] = []
    /// The layers, top first.
    let bands: [Band]
    let findings: [Diagnostic]
    /// Whether the tree has layers, so that rules say which dependencies are right.
    let hasLayers: Bool
    /// The number of packages in the boxes, and the names of those that no box contains.
    let packages: Int
    let omitted: [String]

    static let placeLimit = 2

    package init(_ view: GraphView) {
        let nodes = view.nodes
        findings = view.findings
        omitted = view.omitted
        packages = nodes.count { $0.package == nil }
        hasLayers = nodes.contains { $0.layer != GraphView.other }
        let imps = Dictionary(
            nodes.indices.compactMap { index in
                nodes[index].role == PackageRole.imp.rawValue ? nodes[index].pair.map { ($0, index) } : nil
            }, uniquingKeysWith: { first, _ in first })

        // The box of each node. The Api of a pair and all targets of a pair belong to the box of the IMP.
        var places: [Int: Int] = [:]
        for (index, node) in nodes.enumerated() where node.package == nil && Self.imp(of: node, imps) == nil {
            places[index] = boxes.count
            boxes.append(
                Box(
                    name: node.role == PackageRole.api.rawValue ? node.pair ?? node.name : node.name,
                    kind: Self.kind(node), layer: node.layer, paths: [node.path],
                    isOpen: view.unfolded.contains(index) ? true : nil))
        }
        for (index, node) in nodes.enumerated() {
            if let box = node.package.flatMap({ places[$0] }), !boxes[box].isPairLike, !node.isForTests {
                places[index] = boxes.count
                boxes.append(
                    Box(name: node.name, kind: .target, layer: node.layer, paths: [node.path], package: box))
            } else if let box = Self.imp(of: node, imps).flatMap({ places[$0] }) {
                places[index] = box
                boxes[box].paths.append(node.path)
            } else if places[index] == nil {
                places[index] = node.package.flatMap { places[$0] }
            }
        }
        for (index, node) in nodes.enumerated() {
            guard let replaced = node.replaces, let box = places[index] else { continue }
            boxes[box].replaces = imps[replaced].flatMap { places[$0] }
        }
        let apis = nodes.filter { $0.package == nil && Self.imp(of: $0, imps) != nil }
        let layers = Set(boxes.map(\.layer) + apis.map(\.layer))
        bands = view.layerNames.filter(layers.contains).map { name in
            Band(name: name, apis: apis.count { $0.layer == name })
        }
        // The list of modules names the Apis of the IMPs that it registers, but does not call them.
        let registering = view.edges.reduce(into: [[Int]: Set<String>]()) { files, edge in
            if let to = places[edge.to], Self.kind(edge, in: nodes) == .registers {
                files[[edge.from, to], default: []].formUnion(edge.places.map(\.path))
            }
        }
        arrows = merged(
            view.edges.compactMap { edge in
                guard let from = places[edge.from], let to = places[edge.to], from != to,
                    let kind = Self.kind(edge, in: nodes)
                else { return nil }
                let files = kind == .calls ? registering[[edge.from, to]] ?? [] : []
                let at = edge.places.filter { edge.isWrong || !files.contains($0.path) }
                if at.isEmpty { return nil }
                return Arrow(
                    from: from, to: to, kind: kind, isWrong: edge.isWrong ? true : nil,
                    at: at.map { "\($0.path):\($0.line)" }, more: nil, findings: edge.findings)
            })
        for (index, finding) in findings.enumerated() {
            let paths = [finding.place.path] + finding.notes.map(\.place.path)
            for box in Set(paths.compactMap(owner)) {
                boxes[box].findings = (boxes[box].findings ?? []) + [index]
            }
        }
    }

    /// The node of the IMP, for the Api of a pair and for its targets.
    private static func imp(of node: GraphView.Node, _ imps: [String: Int]) -> Int? {
        node.role == PackageRole.api.rawValue ? node.pair.flatMap { imps[$0] } : nil
    }

    private static func kind(_ node: GraphView.Node) -> Box.Kind {
        switch PackageRole(rawValue: node.role) {
        case .app: .app
        case .imp: node.replaces != nil ? .alternative : node.pair != nil ? .pair : .half
        // `--focus` may leave out the IMP.
        case .api: node.pair != nil ? .pair : .half
        case .plain, .facade: .library
        case .other, nil: .package
        }
    }

    /// Returns nil for a correct dependency that only tests and previews need, or that an app declares without importing
    /// it: an app links the Apis of the modules that it registers.
    private static func kind(_ edge: GraphView.Edge, in nodes: [GraphView.Node]) -> Arrow.Kind? {
        let (from, to) = (nodes[edge.from], nodes[edge.to])
        let (user, used) = (from.package.map { nodes[$0] } ?? from, to.package.map { nodes[$0] } ?? to)
        let isApp = user.role == PackageRole.app.rawValue
        switch PackageRole(rawValue: used.role) {
        case .imp: return isApp ? .registers : .uses
        case .api:
            if user.role == PackageRole.imp.rawValue, user.replaces != nil, user.replaces == used.pair {
                return .replaces
            }
            let isReal = !from.isForTests && !to.isForTests && (edge.isImported || !isApp)
            return isReal || edge.isWrong ? .calls : nil
        default: return from.isForTests && !edge.isWrong ? nil : .uses
        }
    }

    /// One arrow for all dependencies of one kind between two boxes.
    private func merged(_ all: [Arrow]) -> [Arrow] {
        let groups = Dictionary(grouping: all) { [String($0.from), String($0.to), $0.kind.rawValue] }
        return groups.values.compactMap { group -> Arrow? in
            guard let first = group.first else { return nil }
            let places = Set(group.flatMap(\.at)).sorted()
            let findings = Set(group.flatMap { $0.findings ?? [] }).sorted()
            return Arrow(
                from: first.from, to: first.to, kind: first.kind,
                isWrong: group.contains { $0.isWrong == true } ? true : nil,
                at: Array(places.prefix(Self.placeLimit)),
                more: places.count > Self.placeLimit ? places.count - Self.placeLimit : nil,
                findings: findings.isEmpty ? nil : findings)
        }.sorted { ($0.from, $0.to, $0.kind.rawValue) < ($1.from, $1.to, $1.kind.rawValue) }
    }

    /// The innermost box of a package that contains a file.
    private func owner(of path: String) -> Int? {
        let found = boxes.indices.filter { boxes[$0].package == nil }.compactMap { index in
            boxes[index].paths.filter { $0.isEmpty || path.isInside($0) }.map(\.count).max().map {
                (index, $0)
            }
        }
        return found.max { $0.1 < $1.1 }?.0
    }
}

extension GraphMap.Box {
    /// Whether all targets of the packages belong to the box itself.
    fileprivate var isPairLike: Bool { [.pair, .alternative, .half].contains(kind) }
}
