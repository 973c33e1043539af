import Foundation
import ModuleBytes
import ModuleFacts
import ModuleRules
import ModuleTree

/// The code of a package that runs when an app starts: `register(in:)` of an IMP's module type and what it calls in its
/// package; the code of an app, without functions that nothing calls; and the public functions of any other package and
/// what they call.
///
/// Calls are followed by name and labels, so a function counts as called if any function with them is. Closures that are
/// passed to a function are executed if the function is known to call them (see ``Passing``), or if it is a function of the
/// package that always calls its parameter. An app also passes closures to frameworks that start it, so those that it
/// passes to functions of other packages count.
struct LaunchCode {
    /// One way in which execution gets from the start to a body.
    private struct Way: Hashable {
        /// The `#if` conditions of the calls.
        var conditions: Set<Condition> = []
        /// What decides at run time whether one of the calls is executed; nil if all are.
        var branch: String?
        /// Whether one of the calls is in code that creates an app's modules, so that later branches matter.
        var isStarting = false
    }

    /// How a call is executed when the app starts.
    struct Execution {
        let condition: Condition
        let branch: String?
    }

    private var bodies: [(body: SourceFacts.Body, file: SourceFile)]
    private let isApp: Bool
    /// The indices of the bodies with a name.
    private let byName: [String: [Int]]
    /// The index of the first body of each file.
    private let first: [String: Int]
    /// The ways to each body; empty if there is none.
    private var ways: [Set<Way>]
    /// The files that know no registry, and so have no bodies, but may call one.
    private let others: Lazy<FileWords>

    init(of package: LocalPackage, _ targets: [LocalTarget], in tree: Tree) {
        let files = targets.flatMap(\.files)
        var first: [String: Int] = [:]
        var bodies: [(body: SourceFacts.Body, file: SourceFile)] = []
        for file in files {
            first[file.path] = bodies.count
            bodies += file.facts.bodies.map { ($0, file) }
        }
        (self.bodies, self.first, isApp) = (bodies, first, package.role == .app)
        byName = Dictionary(grouping: bodies.indices) { bodies[$0].body.name }
        ways = Array(repeating: [], count: bodies.count)
        others = Lazy {
            FileWords(
                of: files.filter(\.facts.bodies.isEmpty).map { tree.contents(of: $0.path) ?? Data() })
        }
        let starts = bodies.indices.filter { index in
            let body = bodies[index].body
            if body.name.isEmpty { return true }
            switch package.role {
            case .imp:
                return body.name == "register" && body.labels == ["in"] && body.parent == package.moduleType
            case .app:
                return body.callers == .any || body.isPublic
                    || body.callers == .package && (try? others.value.contains(body.name)) ?? true
            default: return body.isPublic
            }
        }
        for index in bodies.indices {
            for use in bodies[index].body.uses where use.branch == nil && byName[use.name] != nil {
                // An app may make its center itself.
                let center = isApp ? nil : use.center.map { "in the center of \($0.line):\($0.column)" }
                guard let branch = center ?? branch(of: use.closures) else { continue }
                var decided = use
                decided.branch = branch
                self.bodies[index].body.uses.remove(use)
                self.bodies[index].body.uses.insert(decided)
            }
        }
        follow(from: starts)
    }

    /// The first of these closures that may not be executed, with the function that gets it.
    private func branch(of closures: [SourceFacts.Closure]) -> String? {
        closures.first { !isExecuted($0) }.map { "a closure for \($0.function)" }
    }

    /// - Parameter callers: The functions that pass the closure on, which may call each other.
    private func isExecuted(_ closure: SourceFacts.Closure, by callers: Set<Int> = []) -> Bool {
        let functions = byName[closure.function, default: []].filter { !bodies[$0].body.parameters.isEmpty }
        // A function of another package is taken for one that starts the app.
        if functions.isEmpty {
            return isApp && (try? others.value.declaresFunction(closure.function)) != true
        }
        return functions.contains { index in
            let body = bodies[index].body
            let parameter =
                closure.label.isEmpty
                ? body.parameters.last : body.parameters.first { $0.label == closure.label }
            guard let parameter, !callers.contains(index) else { return false }
            return body.uses.contains { use in
                use.name == parameter.name && use.isCalled && use.condition == nil && use.branch == nil
                    && use.closures.allSatisfy { isExecuted($0, by: callers.union([index])) }
            }
        }
    }

    private mutating func follow(from starts: [Int]) {
        // An app may decide what it does, and may return, before it starts its modules.
        let starting = isApp ? startingBranches() : [:]
        var open = starts
        for start in starts { ways[start] = [Way()] }
        while let index = open.popLast() {
            for use in bodies[index].body.uses {
                let branch = use.branch.map { "\($0) of \(bodies[index].file.path)" }
                let next = Set(
                    ways[index].map { way in
                        let isHeeded =
                            starting[index].map { !$0.contains(use.branch) } ?? (way.isStarting || !isApp)
                        return Way(
                            conditions: way.conditions.union(use.condition.map { [$0] } ?? []),
                            branch: way.branch ?? (isHeeded ? branch : nil),
                            isStarting: way.isStarting || starting[index] != nil)
                    })
                for called in byName[use.name, default: []] where bodies[called].body.accepts(use) {
                    let known = ways[called]
                    if known.contains(Way()) { continue }
                    if next.contains(Way()) {
                        ways[called] = [Way()]
                    } else if known.count < 16 {
                        // More ways would not change the verdict on any code that people write.
                        ways[called].formUnion(next)
                    }
                    if ways[called] != known { open.append(called) }
                }
            }
        }
    }

    /// The branches in which bodies of an app create modules, themselves or by what they call, by the body's index.
    private func startingBranches() -> [Int: Set<String?>] {
        var found: [Int: Set<String?>] = [:]
        for (index, (_, file)) in bodies.enumerated() where first[file.path] == index {
            for call in file.facts.calls where call.kind == .module {
                if let body = call.body {
                    found[index + body, default: []].insert(call.branch ?? call.attempt)
                }
            }
        }
        var count: Int
        repeat {
            count = found.values.map(\.count).reduce(0, +)
            for (index, (body, _)) in bodies.enumerated() {
                for use in body.uses where found[index]?.contains(use.branch) != true {
                    let called = byName[use.name, default: []].filter { bodies[$0].body.accepts(use) }
                    if called.contains(where: { found[$0] != nil }) {
                        found[index, default: []].insert(use.branch)
                    }
                }
            }
        } while found.values.map(\.count).reduce(0, +) > count
        return found
    }

    /// How a call is executed when the app starts; nil if it is not.
    func execution(of call: SourceFacts.ApiUse, in file: SourceFile) -> Execution? {
        let own = call.branch ?? (call.kind.isRegistration ? call.attempt ?? branch(of: call.closures) : nil)
        guard let body = call.body, let start = first[file.path] else {
            return Execution(condition: call.condition, branch: own)
        }
        let sure = ways[start + body].filter { $0.branch == nil }
        guard
            let branch = (sure.isEmpty ? ways[start + body] : sure).map(\.branch).min(by: {
                ($0 ?? "") < ($1 ?? "")
            })
        else { return nil }
        let conditions = sure.map { $0.conditions.reduce(Condition.always) { $0.and($1) } }
        let isAlways = conditions.isEmpty || conditions.contains(.always)
        return Execution(
            condition: isAlways ? call.condition : call.condition.and(.any(conditions)),
            branch: own ?? branch)
    }
}
