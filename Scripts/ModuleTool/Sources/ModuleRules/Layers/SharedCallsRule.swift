import ModuleTree

/// The pairs of a shared layer call each other in one direction.
struct SharedCallsRule: Rule {
    let id = "shared-calls"
    let group = RuleGroup.layers
    let subject = RuleSubject.sharedImps
    let why = "the pairs of a shared layer serve every other module, so none of them may need its own caller"
    let source: String? = "4-LayeredComponents, 依赖梳理"
    let explanation = """
        In a layer whose `pairs` are `optional`, such as Common, an IMP calls other pairs through their Apis, \
        but not in a circle. The rule about package cycles does not see such a circle, because an Api depends on \
        nothing. The pairs of a layer whose `pairs` are `required`, such as Business, may call each other freely.

        Breaks it:  User asks SDKManagerApi for the server's address, and SDKManager asks UserApi for the session
        Fix it:     pass in what one of them needs: the app gives the address to the network client, which User uses.
        """

    func findings(in context: RuleContext) -> [Finding] {
        let packages = context.tree.packages
        let shared = packages.filter(\.isSharedImp)
        let names = Set(shared.map(\.name))
        let calls = context.graph.edges.filter { edge in
            !edge.isTest && packages[edge.from].isSharedImp && packages[edge.to].role == .api
                && names.contains(packages[edge.to].pairName)
                && packages[edge.to].pairName != packages[edge.from].name
        }
        var callees: [String: Set<String>] = [:]
        for edge in calls {
            callees[packages[edge.from].name, default: []].insert(packages[edge.to].pairName)
        }
        return calls.compactMap { edge in
            let (caller, callee) = (packages[edge.from].name, packages[edge.to].pairName)
            var reached: Set = [callee]
            var next = [callee]
            while let name = next.popLast() {
                for other in callees[name, default: []] where reached.insert(other).inserted {
                    next.append(other)
                }
            }
            guard reached.contains(caller) else { return nil }
            return finding(
                edge, "\(caller) calls \(callee), which calls \(caller), directly or through others",
                fix: "remove one of the calls, and pass in what \(caller) or \(callee) needs")
        }
    }
}

extension LocalPackage {
    /// Whether this is an IMP of a layer that also holds libraries, and that other layers share.
    var isSharedImp: Bool { role == .imp && layer?.pairs == .optional }
}

extension RuleSubject {
    static let sharedImps = RuleSubject { context in
        context.tree.packages.count(where: \.isSharedImp)
    }
}
