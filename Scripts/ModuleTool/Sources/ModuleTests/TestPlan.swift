import ModuleTree

/// Which test targets of a package run, and what happened to them.
package struct TestPlan: Sendable {
    package enum State: Sendable, Hashable {
        case known(PassedTests)
        case runs(reason: String)
    }

    package let targets: [TestTarget]
    private let records: [PassedTests?]
    private let all: Bool
    private let store: any ResultStore
    private let history: TestHistory

    /// - Parameter all: Whether the known targets run too.
    package init(_ targets: [TestTarget], all: Bool, store: any ResultStore, history: TestHistory) {
        (self.targets, self.all, self.store, self.history) = (targets, all, store, history)
        records = concurrentMap(targets, step: 1) { $0.alwaysRuns == nil ? store.record(of: $0.key) : nil }
        for (target, record) in zip(targets, records) where record != nil { history.save(target) }
    }

    /// The targets, with whether they run and why.
    package var states: [(target: TestTarget, state: State)] {
        zip(targets, records).map { target, record in
            if let record {
                return (target, all ? .runs(reason: "is known, but --all is given") : .known(record))
            }
            if let reason = target.alwaysRuns { return (target, .runs(reason: "always runs: \(reason)")) }
            let change = history.changes(of: target).first
            return (target, .runs(reason: change ?? "has no stored result"))
        }
    }

    package var wanted: [TestTarget] {
        states.filter { if case .runs = $0.state { true } else { false } }.map(\.target)
    }

    /// What a run means for each target that ran.
    package enum Verdict: Sendable, Hashable {
        case stored(PassedTests)
        /// The target passed, but its result is not stored.
        case passed(notStored: String)
        case failed(String)
        /// The target failed although the store said that it passes with these inputs.
        case hole
    }

    /// Stores the results of a run.
    ///
    /// - Parameter after: The targets as they are after the run. A result counts only if no input has changed since.
    package func finish(_ run: TestRun, after: [TestTarget]) -> [(target: TestTarget, verdict: Verdict)] {
        let later = Dictionary(after.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let known = Set(zip(targets, records).filter { $1 != nil }.map(\.0.name))
        return wanted.map { target in
            let outcome = run.outcomes[target.module] ?? TestOutcome()
            let record = PassedTests(
                key: target.key, target: target.name, tests: outcome.found.count, seconds: outcome.seconds)
            guard outcome.isComplete else {
                if known.contains(target.name), !outcome.failed.isEmpty {
                    store.save(PassedTests(key: target.key, target: target.name, tests: 0, seconds: 0))
                    return (target, .hole)
                }
                return (target, Self.verdict(of: outcome, status: run.status))
            }
            history.save(target)
            if let reason = target.alwaysRuns { return (target, .passed(notStored: reason)) }
            guard later[target.name]?.key == target.key else {
                let names = Set(target.inputs.keys).union(later[target.name]?.inputs.keys.map(\.self) ?? [])
                let changed = names.sorted().first { target.inputs[$0] != later[target.name]?.inputs[$0] }
                return (target, .passed(notStored: "\(changed ?? target.name) changed during the run"))
            }
            store.save(record)
            return (target, .stored(record))
        }
    }

    private static func verdict(of outcome: TestOutcome, status: Int32) -> Verdict {
        if !outcome.failed.isEmpty {
            return .failed("\(outcome.failed.count) \(outcome.failed.count == 1 ? "test" : "tests") failed")
        }
        if let missing = outcome.found.subtracting(outcome.passed).min() {
            return .passed(notStored: "some tests did not report that they passed, such as \(missing)")
        }
        return status == 0 ? .passed(notStored: "no test ran") : .failed("the run did not end by itself")
    }
}
