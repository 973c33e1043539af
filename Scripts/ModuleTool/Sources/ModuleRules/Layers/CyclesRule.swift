import ModuleTree

/// No package depends on itself by way of others.
struct CyclesRule: Rule {
    let id = "cycles"
    let group = RuleGroup.layers
    let why = "dependencies go one way, also between common components (4-LayeredComponents, 依赖梳理)"
    let explanation = """
        The packages that sources and manifests lead to form no cycle. Of each knot the shortest way round is \
        shown, with the file that closes it. Tests have no part in it.

        Breaks it:  User -> Settings -> User
        Mend it:    give one of them what it needs by injection (a property, init, an argument, a closure from \
        above), or put the shared types into a package that both may use.
        """

    func findings(in subject: Subject) -> [Finding] {
        let packages = subject.tree.packages
        return subject.graph.shortestCycles().compactMap { cycle in
            guard let last = cycle.last, let first = cycle.first else { return nil }
            let way = ([first.from] + cycle.map(\.to)).map { packages[$0].name }.joined(separator: " -> ")
            // The file that imports is nearer to the mend than the manifest that allows it.
            let place = last.imports.first ?? last.place
            return finding(
                place, "the packages depend on each other in a circle: \(way)",
                mend: "break one step; here \(packages[last.from].name) closes the circle by using "
                    + packages[last.to].name,
                notes: cycle.dropLast().map { edge in
                    .init(
                        edge.imports.first ?? edge.place,
                        "\(packages[edge.from].name) uses \(packages[edge.to].name)")
                })
        }
    }
}
