import ModuleKit
import ModuleRules
import ModuleTree

extension Rule {
    static let layerOrder = Rule("layer-order", in: .layers, over: \.layered) { from, report in
        // The rule api-alone reports every dependency of an Api.
        guard let layer = from.layer, from.role != .api else { return }
        for edge in report.context.graph.outgoing[from.index] {
            let to = report.context.packages[edge.to]
            guard let other = to.layer else {
                report(
                    edge, "\(from.name) (\(layer.name)) depends on \(to.name), which is not in any layer",
                    fix: "Move \(to.path) into the folder of a layer, or remove the dependency.")
                continue
            }
            guard other.rank > layer.rank else { continue }
            report(
                edge, "\(from.name) (\(layer.name)) depends upward on \(to.name) (\(other.name))",
                fix: "Remove the dependency and have the higher layer pass in what \(from.name) needs.")
        }
    }

    static let impHidden = Rule("imp-hidden", in: .layers, over: \.imps) { imp, report in
        for edge in report.context.graph.incoming[imp.index] {
            let from = report.context.packages[edge.from]
            if from.role == .app || from.role == .api { continue }
            let api = report.tree.api(of: imp)
            // A package below the layer of the Apis may not use the Api either.
            let isBelow = from.layer.map { $0.rank < api?.layer?.rank ?? 0 } ?? false
            report(
                edge, "\(from.name)\(edge.isTest ? "'s tests depend" : " depends") on the IMP \(imp.name)",
                fix: api == nil
                    ? "If \(imp.name) is a helper and no module, move it to a lower layer"
                        + (report.context.helperLayer(below: imp).map { ", such as \($0)" } ?? "")
                        + "; otherwise add \(imp.apiName), and depend on that."
                    : isBelow
                        ? "Remove the dependency and have a higher layer pass in what \(from.name) needs."
                        : "Depend on \(api?.name ?? imp.apiName) instead, and get the implementation from ApiCenter."
            )
        }
        let tree = report.tree
        for (link, file) in tree.listing.links where tree.owner(ofFolder: file) === imp {
            guard let from = tree.owner(ofFolder: link), from !== imp, from.role != .app,
                from.targets.contains(where: { link.hasPrefix($0.folder + "/") })
            else { continue }
            report(
                SourcePlace(path: link),
                "\(from.name) contains a link to \(file), a file of the IMP \(imp.name)",
                fix: "Remove the link, and get the implementation from ApiCenter.")
        }
    }

    static let facadeAlone = Rule(
        "facade-alone", in: .layers, over: { $0.packages.filter { $0.role == .facade } }
    ) { facade, report in
        for edge in report.context.graph.outgoing[facade.index] where !edge.isTest {
            let to = report.context.packages[edge.to].name
            if ["Mediator", "Pages"].contains(to) { continue }
            report(
                edge, "the facade \(facade.name) depends on \(to)",
                fix: "Remove the dependency; a facade only turns plain values into calls to Mediator.")
        }
    }

    static let cycles = Rule("cycles", in: .layers, counting: { $0.packages.count }) { report in
        let packages = report.context.packages
        for cycle in report.context.graph.shortestCycles() {
            guard let last = cycle.last, let first = cycle.first else { continue }
            let way = ([first.from] + cycle.map(\.to)).map { packages[$0].name }.joined(separator: " -> ")
            // Prefers the importing file, which is closer to the fix than the manifest that allows the import.
            report(
                last.imports.first ?? last.place, "the packages form a dependency cycle: \(way)",
                fix: "Remove one of these dependencies; here \(packages[last.from].name) closes the cycle "
                    + "by using \(packages[last.to].name).",
                notes: cycle.dropLast().map { edge in
                    .init(
                        edge.imports.first ?? edge.place,
                        "\(packages[edge.from].name) uses \(packages[edge.to].name)")
                }, cause: cycle.flatMap(\.places))
        }
    }

    static let sharedCalls = Rule("shared-calls", in: .layers, over: \.sharedImps) { imp, report in
        let context = report.context
        for (edge, callee) in context.sharedCalls(imp.index) {
            let reached = reachable(from: [callee.index]) { context.sharedCalls($0).map(\.callee.index) }
            guard reached.contains(imp.index) else { continue }
            report(
                edge, "\(imp.name) calls \(callee.name), which calls \(imp.name), directly or through others",
                fix: "Remove one of the calls, and pass in what \(imp.name) or \(callee.name) needs.")
        }
    }
}

extension RuleContext {
    /// The IMPs of layers that also hold libraries, and that other layers share.
    fileprivate var sharedImps: [LocalPackage] { imps.filter { $0.layer?.pairs == .optional } }

    /// The other shared IMPs whose Apis a shared IMP uses.
    fileprivate func sharedCalls(_ imp: Int) -> [(edge: DependencyEdge, callee: LocalPackage)] {
        graph.outgoing[imp].compactMap { edge in
            let api = packages[edge.to]
            guard !edge.isTest, api.role == .api, api.pairName != packages[imp].name else { return nil }
            return sharedImps.first { $0.name == api.pairName }.map { (edge, $0) }
        }
    }
}
