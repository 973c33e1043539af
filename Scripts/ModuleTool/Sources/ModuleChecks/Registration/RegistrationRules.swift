import ModuleFacts
import ModuleKit
import ModuleRules
import ModuleTree

extension Rule {
    static let registrationMissing = Rule(
        "registration-missing", in: .registration, needsWholeTree: true,
        counting: { try $0.selectionsOfApps().count }
    ) { report in
        /// The apps that lack a registration, by the type and by the place of the first need.
        var missing: [[String]: [MissingRegistration]] = [:]
        for selections in try report.context.selectionsOfApps() {
            var reported: Set<String> = []
            for app in selections {
                for removal in app.changes
                where removal.kind == .removeApi && reported.insert(removal.type).inserted {
                    report(
                        removal.place,
                        "\(removal.package.name) removes \(removal.type), which another module registers",
                        fix: "Remove this call, or have the module that registers the Api remove it.",
                        notes: app.registrations.filter { $0.type == removal.type }.map {
                            .init($0.place, "registered here")
                        })
                }
                for found in app.missingRegistrations where reported.insert(found.first.type).inserted {
                    missing[[found.first.type, found.first.place.description], default: []].append(found)
                }
            }
        }
        // A module that does not register its Api is reported once, whoever calls the Api in however many apps.
        for (_, found) in missing.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let (need, all) = (found[0], found[0].registrations)
            let (first, type) = (need.first, need.first.type)
            let apps = found.map { "\($0.app.target.name) with \($0.app.selection.name)" }
                .joined(separator: " and ")
            let how = (all.isEmpty ? "" : " under all conditions")
            report(
                first.place,
                (first.kind == .module
                    ? "\(first.package.moduleType) does not register \(type)\(how) when \(apps) "
                        + (found.count == 1 ? "starts" : "start")
                    : "\(type) is requested, but \(apps) \(found.count == 1 ? "does" : "do") not register it\(how)")
                    + need.doubt,
                fix: first.kind == .module
                    ? "Call center.register(\(type.split(separator: ".").last ?? "").self) in register(in:), or in a "
                        + "function that it calls."
                    : need.app.fix(registering: type, in: report.tree),
                notes: all.map { maker in
                    .init(
                        maker.place,
                        "registered here, "
                            + (maker.branch.map { "but maybe not for the app (\($0))" } ?? "under a condition")
                    )
                }
                    + report.tree.registrations(of: type, but: all)
                    + need.others.prefix(4).map {
                        .init($0.place, first.kind == .module ? "requested here" : "also requested here")
                    })
        }
    }

    static let registrationDouble = Rule(
        "registration-double", in: .registration, needsWholeTree: true, over: { try $0.selectionsOfApps() }
    ) { selections, report in
        for app in selections {
            for replacement in app.changes where replacement.kind == .replaceApi {
                report(
                    replacement.place,
                    "\(replacement.package.name) replaces \(replacement.type), which another module registers",
                    fix: "Register the Api in one module, or replace it in the app.")
            }
            // An app may choose at launch between an IMP and its client in another process.
            for (type, uses) in app.registrations.filter({ !$0.package.isAdapter }).byType {
                for (index, use) in uses.enumerated() {
                    // Of two registrations in branches, an app may execute one.
                    let earlier = uses[..<index].lazy.filter { use.branch == nil || $0.branch == nil }
                        .compactMap { other in
                            possible([use.condition, other.condition]) {
                                use.condition.holds($0) && other.condition.holds($0)
                            }.map { (other, doubt: $0) }
                        }.first
                    guard let (other, doubt) = earlier else { continue }
                    report(
                        use.place,
                        "\(type) is registered twice in \(app.target.name) with \(app.selection.name)"
                            + doubt,
                        fix: "Remove one of the registrations, or enable only one of the traits by default.",
                        notes: [.init(other.place, "the other registration")])
                }
            }
        }
    }

    static let registrationOrphan = Rule(
        "registration-orphan", in: .registration, needsWholeTree: true, counting: { $0.halves.count }
    ) { report in
        let (tree, types, calls) = (report.tree, try report.context.types, try report.context.calls())
        // A module may have keys of its own: a service that several of its builders, or its `prepare`, look up.
        let ownKeys = Set(
            calls.filter { $3.kind.isRequest }.compactMap { package, target, file, call in
                call.type.map { package.path + " " + types.full($0, in: file, of: target.module) }
            })
        let reached = Set(try report.context.apps.flatMap { app in app.modules.map(\.target.name) })
        for (package, target, file, call) in calls where call.kind.isRegistration {
            guard let written = call.type else { continue }
            let type = types.full(written, in: file, of: target.module)
            let owner = types.module(of: type).flatMap { tree.package(ofModule: $0) } ?? package
            if package.role != .app, owner === package, !ownKeys.contains(package.path + " " + type) {
                report(
                    file.place(call.position),
                    "\(written) is registered, but no other package can name it, and \(package.name) does not "
                        + "request it",
                    fix: "Declare it in \(tree.api(of: package)?.name ?? package.apiName), or remove the "
                        + "registration.")
            } else if !reached.contains(target.name), !package.isAdapter {
                report(
                    file.place(call.position),
                    "\(written) is registered by \(target.name), which no app links",
                    fix:
                        "Add \(package.name) to the pairs in \(tree.names.apps.first?.manifest ?? "Package.swift"), "
                        + "and run: Scripts/modules registrations")
            }
        }
    }

    static let registrationLiteral = Rule(
        "registration-literal", in: .registration, counting: { $0.halves.count }
    ) { report in
        for (_, _, file, call) in try report.context.calls() {
            if call.type == nil {
                let label = call.kind == .register ? "" : call.kind == .removeApi ? "api: " : "type: "
                let start = "\(call.kind.rawValue)(\(label)"
                report(
                    file.place(call.position), "\(start)\(call.argument)) does not name its type",
                    fix: "Spell out the protocol: \(start)XxxApiProtocol.self)")
            }
        }
    }
}

/// Whether some build with these conditions passes a test: nil if none does, or else what to add to the finding, which is
/// not empty if the check cannot tell.
private func possible(_ conditions: [Condition], _ test: (Set<String>) -> Bool) -> String? {
    guard let states = Condition.possibilities(conditions) else {
        return ", as far as the check can tell: there are more than 12 #if conditions"
    }
    return states.contains(where: test) ? "" : nil
}

extension [LinkedApp.Use] {
    fileprivate var byType: [(key: String, value: [LinkedApp.Use])] {
        Dictionary(grouping: self, by: \.type).sorted { $0.key < $1.key }
    }
}

extension RuleContext {
    /// The apps of the tree, each with its selections of traits.
    fileprivate func selectionsOfApps() throws -> [[LinkedApp]] {
        Dictionary(grouping: try apps) { $0.package.path + " " + $0.target.name }
            .sorted { $0.key < $1.key }.map(\.value)
    }

    /// The calls in all targets that an app can link.
    fileprivate func calls() throws -> [(LocalPackage, LocalTarget, SourceFile, SourceFacts.ApiUse)] {
        guard tree.hasPairs else { return [] }
        let types = try self.types
        return packages.filter { $0.role != .other }.flatMap { package in
            package.mainTargets.flatMap { target in
                types.calls(in: target, of: package).flatMap { file, calls in
                    calls.map { (package, target, file, $0) }
                }
            }
        }
    }
}

/// A protocol that an app does not register under some conditions, although a module or a request needs it.
private struct MissingRegistration {
    let app: LinkedApp
    let first: LinkedApp.Use
    let others: ArraySlice<LinkedApp.Use>
    /// The registrations of the protocol, which are not enough.
    let registrations: [LinkedApp.Use]
    let doubt: String
}

extension LinkedApp {
    fileprivate var missingRegistrations: [MissingRegistration] {
        (duties + requests).byType.compactMap { type, needs in
            let all = registrations.filter { $0.type == type }
            let makers = all.filter { $0.branch == nil }
            let lost = needs.compactMap { need in
                possible([need.condition] + makers.map(\.condition)) { on in
                    need.condition.holds(on) && !makers.contains { $0.condition.holds(on) }
                }.map { (need, doubt: $0) }
            }
            return lost.first.map {
                MissingRegistration(
                    app: self, first: $0.0, others: lost.map(\.0).dropFirst(), registrations: all,
                    doubt: $0.doubt)
            }
        }
    }

    /// The calls of modules that replace or remove another module's Api. Apps and adapters may do so.
    fileprivate var changes: [Use] {
        uses.filter { use in
            guard [.replaceApi, .removeApi].contains(use.kind), use.package.role != .app,
                !use.package.isAdapter
            else { return false }
            return !registrations.contains { $0.type == use.type && $0.package === use.package }
        }
    }

    fileprivate func fix(registering type: String, in tree: Tree) -> String {
        if let inner = TypeNames.wrapped(type) {
            return "Request or register \(inner), which is another key."
        }
        let owner = type.split(separator: ".").first.map(String.init).flatMap { tree.package(ofModule: $0) }
        if let owner, owner.role != .api, owner.role != .imp {
            let name = type.split(separator: ".").last.map(String.init) ?? type
            return
                "Register it where \(target.name) starts, before the modules: center.register(\(name).self) { ... }"
        }
        let pair = owner?.pairName
        guard let pair, let imp = tree.package(pair) else {
            return "Register it with center.register(_:) in the IMP's module type."
        }
        // As the rule app-list says.
        if let app = tree.names.apps.first(where: { $0.folder == package.path }),
            !modules.contains(where: { $0.package === imp })
        {
            return app.fix(listing: imp.path) + " Then run: Scripts/modules registrations"
        }
        return
            "Register it in \(tree.names.moduleType(pair)), and run Scripts/modules registrations, so that "
            + "\(target.name) instantiates that type."
    }
}

extension Tree {
    /// Notes for up to three registrations of a type that have no effect in an app.
    fileprivate func registrations(of type: String, but known: [LinkedApp.Use]) -> [Diagnostic.Note] {
        let name = type.split(separator: ".").last.map(String.init) ?? type
        let places = packages.flatMap(\.sources).flatMap { file -> [SourcePlace] in
            let calls = file.facts.calls.filter { call in
                call.kind.isRegistration
                    && (call.type == name || call.type?.hasSuffix("." + name) == true)
            }
            return calls.map { file.place($0.position) }
        }
        return places.filter { place in !known.contains { $0.place == place } }.prefix(3).map { place in
            Diagnostic.Note(place, "registered here, but not when this app starts")
        }
    }
}
