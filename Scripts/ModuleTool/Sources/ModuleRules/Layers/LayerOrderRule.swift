import ModuleTree

/// Dependencies point downward.
struct LayerOrderRule: Rule {
    let id = "layer-order"
    let group = RuleGroup.layers
    let subject = RuleSubject.layered
    let why = "higher layers change more often, so no lower layer may depend on them"
    let source: String? = "4-LayeredComponents, 垂直分层"
    let explanation = """
        The rule applies only to trees with the file \(Configuration.path). The file names the layers, from \
        bottom to top; if it names none, they are Core, Base, Api, Common, Business, Adapters and Apps. The manifest, \
        the sources and the tests of a package may depend only on packages of the same layer or a lower one. A \
        package in a layer must not depend on a package outside the layers.

        Breaks it:  Packages/Base/Routes depends on Packages/Common/User
        Fix it:     have the higher layer pass in what is needed (a property, an argument, a closure), or \
        use an Api.
        """

    func findings(in context: RuleContext) -> [Finding] {
        context.graph.edges.compactMap { edge in
            let (from, to) = (context.tree.packages[edge.from], context.tree.packages[edge.to])
            // The rule api-alone reports every dependency of an Api.
            guard let layer = from.layer, from.role != .api else { return nil }
            guard let other = to.layer else {
                return finding(
                    edge, "\(from.name) (\(layer.name)) depends on \(to.name), which is not in any layer",
                    fix: "move \(to.path) into the folder of a layer, or remove the dependency")
            }
            guard other.rank > layer.rank else { return nil }
            return finding(
                edge, "\(from.name) (\(layer.name)) depends upward on \(to.name) (\(other.name))",
                fix: "remove the dependency and have the higher layer pass in what \(from.name) needs")
        }
    }
}

extension Rule {
    /// Creates a finding about a dependency, with up to five notes for its other declarations and imports.
    func finding(_ edge: PackageGraph.Edge, _ what: String, fix: String) -> Finding {
        let others =
            (edge.declarations.map { ($0, "declared here") } + edge.imports.map { ($0, "imported here") })
            .filter { $0.0 != edge.place }
        return finding(edge.place, what, fix: fix, notes: others.prefix(5).map { .init($0.0, $0.1) })
    }
}
