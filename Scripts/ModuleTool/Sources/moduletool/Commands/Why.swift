import ArgumentParser
import ModuleKit
import ModuleTree

struct Why: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the shortest dependency path from one package or target to another.",
        discussion: """
            Below each step are the places that cause it: the declaration in a manifest, and the \
            import in a source file. \
            A package stands for all its targets except tests. Exit code 1: there is no such path.

            Examples:
              modules why Shell ErrorCode
              modules why JourneyTests RideApi    names of test targets work too
              modules why Shell AsyncHTTPClient   so do products and identities of third-party packages
            """)

    @Argument(help: "The package, pair or target at the start of the path.")
    var from: String

    @Argument(help: "The package, pair, target or third-party product at the end of the path.")
    var to: String

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let tree = try self.tree.read(isLenient: true)
        let graph = TargetGraph(tree)
        let start = try graph.targets(named: from)
        let isLocal = !graph.find(to).isEmpty
        let uses = isLocal ? [] : graph.uses(ofRemote: to, in: tree)
        // A caller of a pair depends on its Api.
        let end =
            try uses.isEmpty
            ? graph.targets(named: to).union(graph.targets(ofApi: to)).subtracting(start)
            : Set(uses.map(\.from))
        guard from != to, !end.isEmpty else {
            throw Diagnostic(
                .configuration, at: from, "is the same as \(to), or contains it",
                fix: "Choose two different packages or targets.")
        }
        let isDirect = !isLocal && !start.isDisjoint(with: end)
        guard let way = isDirect ? [] : graph.outgoing.shortestPath(from: start, to: end) else {
            let isReversed = isLocal && graph.outgoing.shortestPath(from: end, to: start) != nil
            print("\(from) does not depend on \(to)" + (isReversed ? ", but \(to) depends on \(from)" : ""))
            throw ExitCode(1)
        }
        for edge in way { show(edge, to: graph.name(of: edge.to), in: graph) }
        let last = uses.first { isDirect ? start.contains($0.from) : $0.from == way.last?.to }
        if let last { show(last, to: to, in: graph) }
    }

    private func show(_ edge: DependencyEdge, to end: String, in graph: TargetGraph) {
        print("\(graph.name(of: edge.from)) -> \(end)")
        for place in edge.declarations.prefix(1) { print("  declared  \(place)") }
        for place in edge.imports.prefix(1) {
            let others = edge.imports.count > 1 ? "  (and \(edge.imports.count - 1) more)" : ""
            print("  imported  \(place)\(others)")
        }
    }
}

extension TargetGraph {
    /// The targets with this name, and the targets of the package with this name or path. A package's test targets
    /// count only if it has no others.
    fileprivate func find(_ name: String) -> Set<Int> {
        let found = nodes.indices.filter { index in
            let package = nodes[index].package
            let isOfPackage =
                [package.name, package.path].contains(name)
                && (nodes[index].target.kind != .test || package.targets.allSatisfy { $0.kind == .test })
            return isOfPackage || [nodes[index].target.name, nodes[index].target.module].contains(name)
        }
        return Set(found)
    }

    /// The same targets, of which there must be at least one.
    fileprivate func targets(named name: String) throws -> Set<Int> {
        let found = find(name)
        guard found.isEmpty else { return found }
        let names = Set(nodes.flatMap { [$0.package.name, $0.target.name] }).sorted()
        throw Diagnostic(
            .configuration, at: name, "is neither a package nor a target of this tree",
            fix: Spelling.suggestion(for: name, among: names).map { "Use \($0) instead." }
                ?? "Use one of these packages, or one of their targets: Scripts/modules graph --format text"
        )
    }

    /// The targets of a pair's Api package, without tests.
    fileprivate func targets(ofApi pair: String) -> Set<Int> {
        let api = nodes.first { $0.package.name == pair && $0.package.role == .imp }?.package.apiName
        return Set(nodes.indices.filter { nodes[$0].package.name == api && nodes[$0].target.kind != .test })
    }

    /// A target's name, followed by its package's name if the two differ.
    fileprivate func name(of index: Int) -> String {
        let (package, target) = (nodes[index].package, nodes[index].target)
        return target.name + (package.name == target.name ? "" : " (\(package.name))")
    }
}
