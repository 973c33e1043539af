import ModuleTree

/// No package depends on itself through other packages.
struct CyclesRule: Rule {
    let id = "cycles"
    let group = RuleGroup.layers
    let subject = RuleSubject.packages
    let why = "dependencies point in one direction, even between common components"
    let source: String? = "4-LayeredComponents, 依赖梳理"
    let explanation = """
        The dependencies between packages, from manifests and imports, must not form a cycle. For each \
        group of packages in cycles, the shortest cycle is reported, with the file that closes it. \
        Dependencies of tests are ignored.

        Breaks it:  User -> Settings -> User
        Fix it:     have a higher layer pass in what one of them needs (a property, an argument, a \
        closure), or move the shared types into a package that both can depend on.
        """

    func findings(in context: RuleContext) -> [Finding] {
        let packages = context.tree.packages
        return context.graph.shortestCycles().compactMap { cycle in
            guard let last = cycle.last, let first = cycle.first else { return nil }
            let way = ([first.from] + cycle.map(\.to)).map { packages[$0].name }.joined(separator: " -> ")
            // Prefers the importing file, which is closer to the fix than the manifest that allows the import.
            let place = last.imports.first ?? last.place
            return finding(
                place, "the packages form a dependency cycle: \(way)",
                fix: "remove one of these dependencies; here \(packages[last.from].name) closes the cycle "
                    + "by using \(packages[last.to].name)",
                notes: cycle.dropLast().map { edge in
                    .init(
                        edge.imports.first ?? edge.place,
                        "\(packages[edge.from].name) uses \(packages[edge.to].name)")
                })
        }
    }
}
