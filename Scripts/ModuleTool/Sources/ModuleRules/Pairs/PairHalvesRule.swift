import ModuleTree

/// Every Api has an IMP, and every IMP has an Api.
struct PairHalvesRule: Rule {
    let id = "pair-halves"
    let group = RuleGroup.pairs
    let subject = RuleSubject.halves
    let needsWholeTree = true
    let why = "a business library is split into two packages, its Api and its IMP"
    let source: String? = "1-ApiCenter, 说明 1"
    let explanation = """
        Every package `XxxApi` under Packages must have a package `Xxx` beside it, and every package under \
        Packages/Business must have a package `XxxApi` beside it. An alternative IMP, which registers \
        another pair's protocol, needs no Api of its own.

        Breaks it:  Packages/Business/RideApi without Packages/Business/Ride
        Fix it:     run Scripts/modules new-module Ride, or remove the remaining half.
        """

    func findings(in context: RuleContext) -> [Finding] {
        context.tree.packages.compactMap { package in
            switch package.role {
            case .api:
                let wanted = String(package.path.dropLast(package.name.count - package.pairName.count))
                if context.tree.package(in: wanted) != nil { return nil }
                if let elsewhere = context.tree.package(package.pairName) {
                    return finding(
                        package.place, "\(package.name) and its IMP are in different folders",
                        fix: "git mv \(elsewhere.path) \(wanted)", notes: [.init(elsewhere.place, "the IMP")]
                    )
                }
                return finding(
                    package.place, "\(package.name) has no IMP named \(package.pairName)",
                    fix: "add the package \(wanted), or remove \(package.path)")
            case .imp:
                let wanted = package.path + package.apiName.dropFirst(package.name.count)
                if context.tree.package(in: wanted) != nil
                    || context.tree.package(package.apiName) != nil
                    || context.tree.alternative(of: package) != nil
                {
                    return nil
                }
                return finding(
                    package.place, "\(package.name) has no Api package named \(package.apiName)",
                    fix:
                        "add the package \(wanted), or register another pair's protocol as an alternative IMP"
                )
            case .app, .facade, .plain, .other: return nil
            }
        }
    }
}

extension Tree {
    /// The Api that an IMP implements: its own or, for an alternative IMP, the Api whose protocol it
    /// registers.
    package func api(of imp: LocalPackage) -> LocalPackage? {
        package(imp.apiName) ?? alternative(of: imp)
    }

    /// The Api that an alternative IMP implements; nil if the package is not an alternative IMP.
    package func alternative(of imp: LocalPackage) -> LocalPackage? {
        guard imp.role == .imp, package(imp.apiName) == nil else { return nil }
        let registered = imp.sources.flatMap(\.facts.calls)
            .filter(\.kind.isRegistration).compactMap(\.type)
            .compactMap { $0.split(separator: ".").last.map(String.init) }
        for dependency in imp.manifest.dependencies where dependency.path != nil {
            guard let api = package(dependency.identity), api.role == .api else { continue }
            let protocols = api.sources.flatMap(\.facts.declarations)
                .filter { $0.keyword == "protocol" || $0.keyword == "typealias" }
            if protocols.contains(where: { registered.contains($0.name) }) { return api }
        }
        return nil
    }
}
