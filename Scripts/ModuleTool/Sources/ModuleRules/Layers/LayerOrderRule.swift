import ModuleTree

/// Dependencies point downward.
struct LayerOrderRule: Rule {
    let id = "layer-order"
    let group = RuleGroup.layers
    let why =
        "the higher a layer, the more it changes and the less may depend on it (4-LayeredComponents, 垂直分层)"
    let explanation = """
        Bottom first: Core, Base, Adapters, Api, Common, Business, Apps. A package depends on its own layer or a \
        lower one, tests included, in its manifest and in its imports. Nothing in a layer depends on a package \
        outside of them.

        Breaks it:  Packages/Base/Routes depends on Packages/Common/User
        Mend it:    pass what is needed from above (a property, an argument, a closure), or ask an Api.
        """

    func findings(in subject: Subject) -> [Finding] {
        subject.graph.edges.compactMap { edge in
            let (from, to) = (subject.tree.packages[edge.from], subject.tree.packages[edge.to])
            // An Api that depends on anything is another rule's business.
            guard let layer = from.layer, layer != .api else { return nil }
            guard let other = to.layer else {
                return finding(
                    edge, "\(from.name) (\(layer.rawValue)) depends on \(to.name), which is in no layer",
                    mend: "move \(to.path) to a folder of Packages, or remove the dependency")
            }
            guard other.rank > layer.rank else { return nil }
            return finding(
                edge, "\(from.name) (\(layer.rawValue)) depends upward on \(to.name) (\(other.rawValue))",
                mend: "remove it; let the higher layer pass in what \(from.name) needs")
        }
    }
}

extension Rule {
    /// A finding about an edge, with every place that makes it.
    func finding(_ edge: PackageGraph.Edge, _ what: String, mend: String) -> Finding {
        let others =
            (edge.declarations.map { ($0, "declared here") } + edge.imports.map { ($0, "imported here") })
            .filter { $0.0 != edge.place }
        return finding(edge.place, what, mend: mend, notes: others.prefix(5).map { .init($0.0, $0.1) })
    }
}
