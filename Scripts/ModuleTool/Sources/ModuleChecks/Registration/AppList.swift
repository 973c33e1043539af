import ModuleFacts
import ModuleKit
import ModuleRules
import ModuleTree

extension Rule {
    static let appList = Rule(
        "app-list", in: .registration, needsWholeTree: true, counting: { $0.complete.count }
    ) { report in
        let imps = report.context.complete
        if imps.isEmpty { return }
        let types = try report.context.types
        var lists: [AppList] = []
        for app in report.tree.names.apps {
            guard let package = report.tree.package(in: app.folder), let target = app.target(in: package)
            else {
                return report(
                    SourcePlace(path: app.manifest), "declares no app that could register the IMPs",
                    fix:
                        "Declare a target that links them and contains \(app.registrations), or add the app's "
                        + "manifest to \(Configuration.path).")
            }
            lists.append(AppList(target, of: package, types, app))
        }
        for imp in imps {
            let linking = lists.filter { $0.links[imp.name] != nil }
            // With several apps, only a person knows which one lacks the IMP.
            if linking.isEmpty { lists[0].report(unlisted: imp, isAlone: lists.count == 1, &report) }
            for list in linking { list.check(imp, &report) }
        }
    }
}

/// The dependencies that an app links, by name, and the module types that it instantiates.
private struct AppList {
    let links: [String: Manifest.TargetDependency]
    let calls: [(type: String, place: SourcePlace, call: SourceFacts.ApiUse)]
    let app: LocalTarget
    let package: LocalPackage
    private let settings: Configuration.App
    /// The place of the generated list, about which the rule registrations-current is stronger.
    private var registrations: SourcePlace { SourcePlace(path: settings.registrations) }

    init(_ app: LocalTarget, of package: LocalPackage, _ types: TypeNames, _ settings: Configuration.App) {
        (self.app, self.package, self.settings) = (app, package, settings)
        let targets = app.withLibraries(of: package)
        links = Dictionary(targets.flatMap(\.dependencies).map { ($0.name, $0) }) { first, _ in first }
        calls = targets.flatMap { target in
            target.files.flatMap { file in
                file.facts.calls.filter { $0.kind == .module }.map {
                    (types.full($0.type ?? "", in: file, of: target.module), file.place($0.position), $0)
                }
            }
        }
    }

    /// Reports an IMP that no app links.
    func report(unlisted imp: LocalPackage, isAlone: Bool, _ report: inout RuleReport) {
        let owner = report.tree.alternative(of: imp)?.pairName
        report(
            app.declaration.position.in(package.manifestPath), "\(app.name) does not link \(imp.name)",
            fix: settings.fix(listing: imp.path, alternativeTo: owner)
                + " Then run: Scripts/modules registrations",
            repair: isAlone ? .list(imp: imp.path, alternativeTo: owner) : nil)
    }

    func check(_ imp: LocalPackage, _ report: inout RuleReport) {
        let manifest = app.declaration.position.in(package.manifestPath)
        let (entry, fix) = ("\(imp.moduleType)()", "Run: Scripts/modules registrations")
        guard let link = links[imp.name] else { return }
        let own = calls.filter { $0.type == "\(imp.name).\(imp.moduleType)" }
        guard let (_, place, call) = own.first else {
            let list = calls.first.map { SourcePlace(path: $0.place.path) }
            return report(
                list ?? manifest, "\(app.name) does not create \(entry)", fix: fix, cause: [registrations])
        }
        let cause = place.path == registrations.path ? [registrations] : []
        if own.count > 1 {
            let value = own.map(\.call.argument).first { $0.hasSuffix(".self") }
            report(
                own[1].place,
                "\(app.name) creates \(entry) twice"
                    + (value.map { ", as far as the check can tell: `\($0)` may create it" } ?? ""), fix: fix,
                notes: [.init(place, "the first call")], cause: cause)
        } else if let branch = call.branch {
            report(
                place, "\(entry) is in a branch that may not be taken (\(branch))", fix: fix, cause: cause)
        } else if !link.traits.isEmpty, !depends(call.condition, on: link.traits) {
            report(
                place, "\(entry) is not inside #if \(link.traits.sorted().joined(separator: " || "))",
                fix: fix, cause: cause)
        }
    }

    /// Whether a condition depends on these traits. With all other traits enabled, the condition must hold with each of
    /// these traits, and fail without all of them.
    private func depends(_ condition: Condition, on own: Set<String>) -> Bool {
        let others = package.manifest.traits.subtracting(own)
        return own.allSatisfy { condition.holds(others.union([$0])) } && !condition.holds(others)
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
