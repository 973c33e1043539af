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
    private let isReadOnly: Bool
    private let history: TestHistory

    /// - Parameters:
    ///   - all: Whether the known targets run too.
    ///   - isReadOnly: Whether no record is written.
    package init(
        _ targets: [TestTarget], all: Bool, store: any ResultStore, isReadOnly: Bool = false,
        history: TestHistory
    ) {
        (self.targets, self.all, self.history) = (targets, all, history)
        (self.store, self.isReadOnly) = (store, isReadOnly)
        records = concurrentMap(targets, step: 1) { target in
            guard target.alwaysRuns == nil, let record = store.record(of: target.key) else { return nil }
            return record.isWithdrawn ? nil : record
        }
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

    /// How long the tests of the known targets took.
    package var knownSeconds: Double { all ? 0 : records.reduce(0) { $0 + ($1?.seconds ?? 0) } }

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
        func save(_ record: PassedTests) { if !isReadOnly { store.save(record) } }
        return wanted.map { target in
            let outcome = run.outcomes[target.module] ?? TestOutcome()
            let record = PassedTests(
                key: target.key, target: target.name, tests: outcome.passed.count, seconds: outcome.seconds)
            guard outcome.isComplete(maySkip: target.maySkip) else {
                if known.contains(target.name) {
                    save(PassedTests(key: target.key, target: target.name, tests: 0, seconds: 0))
                    if !outcome.failed.isEmpty { return (target, .hole) }
                }
                return (target, Self.verdict(of: outcome, maySkip: target.maySkip, status: run.status))
            }
            history.save(target)
            if let reason = target.alwaysRuns { return (target, .passed(notStored: reason)) }
            if let change = TestHistory.changes(from: target.inputs, to: later[target.name]?.inputs ?? [:])
                .first
            {
                return (target, .passed(notStored: "\(change) during the run"))
            }
            save(record)
            return (target, .stored(record))
        }
    }

    private static func verdict(of outcome: TestOutcome, maySkip: Bool, status: Int32) -> Verdict {
        if !outcome.failed.isEmpty {
            return .failed("\(Spelling.count(outcome.failed.count, "test")) failed")
        }
        if let missing = outcome.missing(maySkip: maySkip).min() {
            return .passed(notStored: "some tests did not report that they passed, such as \(missing)")
        }
        return status == 0 ? .passed(notStored: "no test ran") : .failed("the run did not end by itself")
    }
}
