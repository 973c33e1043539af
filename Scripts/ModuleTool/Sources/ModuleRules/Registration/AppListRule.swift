import ModuleTree

/// An app links each IMP of the tree, directly or through a library of the app's package, and instantiates the IMP's
/// module type.
struct AppListRule: Rule {
    let id = "app-list"
    let group = RuleGroup.registration
    let subject = RuleSubject.imps
    let needsWholeTree = true
    let why = "the linker cannot drop modules from an explicit list, so the app's list must be complete"
    let source: String? = "1-ApiCenter, 如何使用 3"
    let explanation = """
        Every IMP must be a dependency of an app that \(Configuration.path) names (by default, of the root package's \
        executable), or of a library of the app's package that the app uses. The files of these targets must \
        instantiate the IMP's module type, `XxxModule()`, exactly once, and not in a branch that may not be \
        taken, such as the body of an `if`. If a trait enables the dependency, the call must be inside `#if` for \
        that trait.

        Breaks it:  a pair that Package.swift does not list, or an outdated Registrations.swift
        Fix it:     add Pair("Business/Xxx") to Package.swift, and run Scripts/modules registrations.
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        let tree = context.tree
        let imps = tree.packages.filter { $0.role == .imp }
        guard !imps.isEmpty else { return [] }
        let types = try context.types.value
        var lists: [AppList] = []
        for app in tree.names.apps {
            guard let package = tree.package(in: app.folder), let target = app.target(in: package) else {
                return [
                    finding(
                        SourcePlace(path: app.manifest), "declares no app that could register the IMPs",
                        fix:
                            "declare a target that links them and contains \(app.registrations), or add the app's "
                            + "manifest to \(Configuration.path)")
                ]
            }
            lists.append(AppList(target, of: package, types))
        }
        return imps.flatMap { imp in
            let linking = lists.filter { $0.links[imp.name] != nil }
            return (linking.isEmpty ? Array(lists.prefix(1)) : linking).compactMap { finding(for: imp, $0) }
        }
    }

    /// The dependencies that an app links and the module types that it instantiates, by name.
    private struct AppList {
        let links: [String: Manifest.TargetDependency]
        let calls: [String: [(place: SourcePlace, condition: Condition)]]

        /// The first file that instantiates a module type.
        let path: String?
        let traits: Set<String>
        let app: LocalTarget
        let package: LocalPackage

        init(_ app: LocalTarget, of package: LocalPackage, _ types: TypeNames) {
            (self.app, self.package, traits) = (app, package, package.manifest.traits)
            let targets = app.withLibraries(of: package)
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
            (self.calls, self.path) = (calls, path)
        }

        /// Whether a condition depends on these traits. With all other traits enabled, the condition must hold if any
        /// of these traits is enabled, and fail if none of them is.
        func depends(_ condition: Condition, on own: Set<String>) -> Bool {
            let others = traits.subtracting(own)
            return condition.holds(others.union(own.prefix(1))) && !condition.holds(others)
        }
    }

    private func finding(for imp: LocalPackage, _ list: AppList) -> Finding? {
        let app = list.app
        let manifest = app.declaration.position.in(list.package.manifestPath)
        guard let link = list.links[imp.name] else {
            return finding(
                manifest, "\(app.name) does not link \(imp.name)",
                fix:
                    "add \(imp.path) to the pairs in \(list.package.manifestPath), then run Scripts/modules registrations"
            )
        }
        let entry = imp.moduleType
        let calls = list.calls["\(imp.name).\(entry)"] ?? []
        guard let call = calls.first else {
            return finding(
                list.path.map { SourcePlace(path: $0) } ?? manifest, "\(app.name) does not create \(entry)()",
                fix: "run Scripts/modules registrations")
        }
        if calls.count > 1 {
            return finding(
                calls[1].place, "\(app.name) creates \(entry)() twice",
                fix: "run Scripts/modules registrations",
                notes: [.init(call.place, "the first call")])
        }
        if let branch = call.condition.branch {
            return finding(
                call.place, "\(entry)() is in a branch that may not be taken (\(branch))",
                fix: "run Scripts/modules registrations")
        }
        if link.traits.isEmpty || list.depends(call.condition, on: link.traits) { return nil }
        return finding(
            call.place, "\(entry)() is not inside #if \(link.traits.sorted().joined(separator: " || "))",
            fix: "run Scripts/modules registrations")
    }
}

extension Configuration.App {
    /// The target of the app: the executable that uses the registrations, or else the first executable. For an Xcode
    /// app, whose package has no executable, it is the library that contains the registrations.
    func target(in package: LocalPackage) -> LocalTarget? {
        let library = package.targets.first { $0.files.contains { $0.path == registrations } }
        let executables = package.targets.filter { $0.kind == .executable }
        return executables.first { app in app.withLibraries(of: package).contains { $0 === library } }
            ?? executables.first ?? library
    }
}

extension LocalTarget {
    /// The target, and the targets of its package on which it depends, directly or indirectly.
    package func withLibraries(of package: LocalPackage) -> [LocalTarget] {
        func target(_ name: String) -> LocalTarget? { package.targets.first { $0.name == name } }
        return reachable(from: [name]) { target($0)?.dependencies.map(\.name) ?? [] }.compactMap(target)
    }
}
