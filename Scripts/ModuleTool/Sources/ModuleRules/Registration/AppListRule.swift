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
        var list = AppList(app, tree, traits: root.manifest.traits)
        return imps.compactMap { finding(for: $0, app, root, &list) }
    }

    /// What an app links and makes, by name.
    private struct AppList {
        let links: [String: Manifest.TargetDependency]
        let calls: [String: [(place: SourcePlace, condition: Condition)]]

        /// The file that makes modules.
        let path: String?
        var traits: Set<String>

        init(_ app: LocalTarget, _ tree: Tree, traits: Set<String>) {
            links = Dictionary(app.dependencies.map { ($0.name, $0) }) { first, _ in first }
            var calls: [String: [(place: SourcePlace, condition: Condition)]] = [:]
            var path: String?
            for file in app.files.map({ tree.files[$0] }) {
                for call in file.facts.calls where call.kind == .module {
                    calls[call.type ?? "", default: []].append((file.place(call.position), call.condition))
                    if path == nil { path = file.path }
                }
            }
            (self.calls, self.path, self.traits) = (calls, path, traits)
        }

        /// Whether, with all other traits on, one of these is needed for a condition to hold, and enough.
        mutating func depends(_ condition: Condition, on own: Set<String>) -> Bool {
            let had = own.intersection(traits)
            traits.subtract(own)
            let without = condition.holds(traits)
            let one = own.prefix(1)
            traits.formUnion(one)
            let with = condition.holds(traits)
            traits.subtract(one)
            traits.formUnion(had)
            return with && !without
        }
    }

    private func finding(
        for imp: LocalPackage, _ app: LocalTarget, _ root: LocalPackage, _ list: inout AppList
    ) -> Finding? {
        let manifest = app.declaration.position.in(root.manifestPath)
        guard let link = list.links[imp.name] else {
            return finding(
                manifest, "\(app.name) does not link \(imp.name)",
                mend:
                    "add Pair(\"\(imp.path.split(separator: "/").dropFirst().joined(separator: "/"))\") to the "
                    + "pairs in Package.swift, then run Scripts/registrations")
        }
        let entry = imp.name + "Module"
        let calls = list.calls[entry] ?? []
        guard let call = calls.first else {
            return finding(
                list.path.map { SourcePlace(path: $0) } ?? manifest, "\(app.name) does not make \(entry)()",
                mend: "run Scripts/registrations")
        }
        if calls.count > 1 {
            return finding(
                calls[1].place, "\(app.name) makes \(entry)() twice", mend: "run Scripts/registrations",
                notes: [.init(call.place, "the first one")])
        }
        if link.traits.isEmpty || list.depends(call.condition, on: link.traits) { return nil }
        return finding(
            call.place, "\(entry)() is not inside #if \(link.traits.sorted().joined(separator: " || "))",
            mend: "run Scripts/registrations")
    }
}
