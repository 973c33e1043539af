import ModuleTree

/// The root's app has every IMP of the tree in its manifest and in its list of modules.
struct AppListRule: Rule {
    let id = "app-list"
    let group = RuleGroup.registration
    let why =
        "an explicit list is the only one that linking cannot lose; so it must be complete (1-ApiCenter, 如何使用 3)"
    let explanation = """
        Every IMP under Packages is a dependency of the root package's app, and the app's files make its module \
        type, `XxxModule()`, once. When the dependency depends on a trait, the call is inside `#if` of that trait.

        Breaks it:  a pair that Package.swift does not list, or a Registrations.swift that was not made anew
        Mend it:    add Pair("Business/Xxx") to Package.swift, and run Scripts/registrations.
        """

    func findings(in subject: Subject) -> [Finding] {
        let tree = subject.tree
        let imps = tree.packages.filter { $0.role == .imp }
        guard tree.hasPairs, let root = tree.rootPackage, !imps.isEmpty else { return [] }
        guard let app = root.targets.first(where: { $0.kind == .executable }) else {
            return [
                finding(
                    root.place, "the root package has no app that could register the IMPs",
                    mend: "declare an executable target that links them, as Apps/Shell is")
            ]
        }
        return imps.compactMap { findings(for: $0, app, root, tree) }
    }

    private func findings(
        for imp: LocalPackage, _ app: LocalTarget, _ root: LocalPackage, _ tree: Tree
    ) -> Finding? {
        let manifest = app.declaration.position.in(root.manifestPath)
        guard let link = app.dependencies.first(where: { $0.name == imp.name }) else {
            return finding(
                manifest, "\(app.name) does not link \(imp.name)",
                mend:
                    "add Pair(\"\(imp.path.split(separator: "/").dropFirst().joined(separator: "/"))\") to the "
                    + "pairs in Package.swift, then run Scripts/registrations")
        }
        let entry = imp.name + "Module"
        let calls = app.files.map { tree.files[$0] }.flatMap { file in
            file.facts.calls.filter { $0.kind == .module && $0.type == entry }
                .map { (place: file.place($0.position), condition: $0.condition) }
        }
        guard let call = calls.first else {
            let list = app.files.map { tree.files[$0] }
                .first { $0.facts.calls.contains { $0.kind == .module } }?.path
            return finding(
                list.map { SourcePlace(path: $0) } ?? manifest, "\(app.name) does not make \(entry)()",
                mend: "run Scripts/registrations")
        }
        if calls.count > 1 {
            return finding(
                calls[1].place, "\(app.name) makes \(entry)() twice", mend: "run Scripts/registrations",
                notes: [.init(call.place, "the first one")])
        }
        guard !link.traits.isEmpty else { return nil }
        let others = root.manifest.traits.subtracting(link.traits)
        let on = call.condition.holds(others.union(link.traits.prefix(1)))
        if on, !call.condition.holds(others) { return nil }
        return finding(
            call.place, "\(entry)() is not inside #if \(link.traits.sorted().joined(separator: " || "))",
            mend: "run Scripts/registrations")
    }
}
