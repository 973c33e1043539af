import ModuleTree

extension Rule {
    static let appList = Rule(
        "app-list", in: .registration, needsWholeTree: true, counting: { $0.imps.count }
    ) { report in
        let imps = report.context.imps
        if imps.isEmpty { return }
        let types = try report.context.types.value
        var lists: [AppList] = []
        for app in report.tree.names.apps {
            guard let package = report.tree.package(in: app.folder), let target = app.target(in: package)
            else {
                return report(
                    SourcePlace(path: app.manifest), "declares no app that could register the IMPs",
                    fix:
                        "declare a target that links them and contains \(app.registrations), or add the app's "
                        + "manifest to \(Configuration.path)")
            }
            lists.append(AppList(target, of: package, types))
        }
        for imp in imps {
            let linking = lists.filter { $0.links[imp.name] != nil }
            for list in linking.isEmpty ? Array(lists.prefix(1)) : linking { list.check(imp, &report) }
        }
    }
}

/// The dependencies that an app links and the module types that it instantiates, by name.
private struct AppList {
    let links: [String: Manifest.TargetDependency]
    let calls: [String: [(place: SourcePlace, call: SourceFacts.ApiUse)]]

    /// The first file that instantiates a module type.
    let path: String?
    let traits: Set<String>
    let app: LocalTarget
    let package: LocalPackage

    init(_ app: LocalTarget, of package: LocalPackage, _ types: TypeNames) {
        (self.app, self.package, traits) = (app, package, package.manifest.traits)
        let targets = app.withLibraries(of: package)
        links = Dictionary(targets.flatMap(\.dependencies).map { ($0.name, $0) }) { first, _ in first }
        var calls: [String: [(place: SourcePlace, call: SourceFacts.ApiUse)]] = [:]
        var path: String?
        for target in targets {
            for file in target.files {
                for call in file.facts.calls where call.kind == .module {
                    let type = types.full(call.type ?? "", in: file, of: target.name)
                    calls[type, default: []].append((file.place(call.position), call))
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

    func check(_ imp: LocalPackage, _ report: inout RuleReport) {
        let manifest = app.declaration.position.in(package.manifestPath)
        guard let link = links[imp.name] else {
            return report(
                manifest, "\(app.name) does not link \(imp.name)",
                fix:
                    "add \(imp.path) to the pairs in \(package.manifestPath), then run Scripts/modules registrations"
            )
        }
        let (entry, fix) = (imp.moduleType, "run Scripts/modules registrations")
        let calls = calls["\(imp.name).\(entry)"] ?? []
        guard let call = calls.first else {
            return report(
                path.map { SourcePlace(path: $0) } ?? manifest, "\(app.name) does not create \(entry)()",
                fix: fix)
        }
        if calls.count > 1 {
            let value = calls.map(\.call.argument).first { $0.hasSuffix(".self") }
            report(
                calls[1].place,
                "\(app.name) creates \(entry)() twice"
                    + (value.map { ", as far as the check can tell: `\($0)` may create it" } ?? ""), fix: fix,
                notes: [.init(call.place, "the first call")])
        } else if let branch = call.call.branch {
            report(call.place, "\(entry)() is in a branch that may not be taken (\(branch))", fix: fix)
        } else if !link.traits.isEmpty, !depends(call.call.condition, on: link.traits) {
            report(
                call.place, "\(entry)() is not inside #if \(link.traits.sorted().joined(separator: " || "))",
                fix: fix)
        }
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
