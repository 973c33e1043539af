import ModuleTree

/// The root package's app, with the root's libraries that it uses, links every IMP of the tree and instantiates
/// its module type.
struct AppListRule: Rule {
    let id = "app-list"
    let group = RuleGroup.registration
    let subject = RuleSubject.imps
    let needsWholeTree = true
    let why = """
        the linker cannot drop modules from an explicit list, so the app's list must be complete \
        (1-ApiCenter, 如何使用 3)
        """
    let explanation = """
        Every IMP under Packages must be a dependency of the root package's app, or of a library of the \
        root package that the app uses. The files of these targets must instantiate the IMP's module type, \
        `XxxModule()`, exactly once, and not in a branch that may not be taken, such as the body of an \
        `if`. If a trait enables the dependency, the call must be inside `#if` for that trait.

        Breaks it:  a pair that Package.swift does not list, or an outdated Registrations.swift
        Fix it:     add Pair("Business/Xxx") to Package.swift, and run Scripts/registrations.
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        let tree = context.tree
        let imps = tree.packages.filter { $0.role == .imp }
        guard tree.hasPairs, let root = tree.rootPackage, !imps.isEmpty else { return [] }
        guard let app = root.targets.first(where: { $0.kind == .executable }) else {
            return [
                finding(
                    root.place, "the root package has no app that could register the IMPs",
                    fix: "declare an executable target that links them, such as Apps/Shell")
            ]
        }
        let list = AppList(
            app.withLibraries(of: root), try context.types.value, traits: root.manifest.traits)
        return imps.compactMap { finding(for: $0, app, root, list) }
    }

    /// The dependencies that an app links and the module types that it instantiates, by name.
    private struct AppList {
        let links: [String: Manifest.TargetDependency]
        let calls: [String: [(place: SourcePlace, condition: Condition)]]

        /// The first file that instantiates a module type.
        let path: String?
        let traits: Set<String>

        init(_ targets: [LocalTarget], _ types: TypeNames, traits: Set<String>) {
            links = Dictionary(targets.flatMap(\.dependencies).map { ($0.name, $0) }) { first, _ in first }
            var calls: [String: [(place: SourcePlace, condition: Condition)]] = [:]
            var path: String?
            for target in targets {
                for file in target.files {
                    for call in file.facts.calls where call.kind == .module {
                        let type = types.full(call.type ?? "", in: file, of: target.name)
                        calls[type, default: []].append((file.place(call.position), call.condition))
                        if path == nil { path = file.path }
                    }
                }
            }
            (self.calls, self.path, self.traits) = (calls, path, traits)
        }

        /// Whether a condition depends on these traits. With all other traits enabled, the condition must hold if any
        /// of these traits is enabled, and fail if none of them is.
        func depends(_ condition: Condition, on own: Set<String>) -> Bool {
            let others = traits.subtracting(own)
            return condition.holds(others.union(own.prefix(1))) && !condition.holds(others)
        }
    }

    private func finding(
        for imp: LocalPackage, _ app: LocalTarget, _ root: LocalPackage, _ list: AppList
    ) -> Finding? {
        let manifest = app.declaration.position.in(root.manifestPath)
        guard let link = list.links[imp.name] else {
            return finding(
                manifest, "\(app.name) does not link \(imp.name)",
                fix:
                    "add Pair(\"\(imp.path.split(separator: "/").dropFirst().joined(separator: "/"))\") to the "
                    + "pairs in Package.swift, then run Scripts/registrations")
        }
        let entry = imp.moduleType
        let calls = list.calls["\(imp.name).\(entry)"] ?? []
        guard let call = calls.first else {
            return finding(
                list.path.map { SourcePlace(path: $0) } ?? manifest, "\(app.name) does not create \(entry)()",
                fix: "run Scripts/registrations")
        }
        if calls.count > 1 {
            return finding(
                calls[1].place, "\(app.name) creates \(entry)() twice", fix: "run Scripts/registrations",
                notes: [.init(call.place, "the first call")])
        }
        if let branch = call.condition.branch {
            return finding(
                call.place, "\(entry)() is in a branch that may not be taken (\(branch))",
                fix: "run Scripts/registrations")
        }
        if link.traits.isEmpty || list.depends(call.condition, on: link.traits) { return nil }
        return finding(
            call.place, "\(entry)() is not inside #if \(link.traits.sorted().joined(separator: " || "))",
            fix: "run Scripts/registrations")
    }
}

extension LocalTarget {
    /// The target, and the targets of its package on which it depends, directly or indirectly.
    package func withLibraries(of package: LocalPackage) -> [LocalTarget] {
        var targets = [self]
        var head = 0
        while head < targets.count {
            for dependency in targets[head].dependencies {
                guard let next = package.targets.first(where: { $0.name == dependency.name }),
                    !targets.contains(where: { $0.name == next.name })
                else { continue }
                targets.append(next)
            }
            head += 1
        }
        return targets
    }
}
