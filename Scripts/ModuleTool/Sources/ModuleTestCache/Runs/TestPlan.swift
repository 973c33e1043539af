import ModuleKit

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
        _ targets: [TestTarget], all: Bool, store: any ResultStore, isReadOnly: Bool,
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
        case failed(String, tests: [String] = [])
        /// The target failed although the store said that it passes with these inputs.
        case hole(tests: [String])
    }

    /// Stores the results of a run.
    ///
    /// - Parameters:
    ///   - outcomes: What happened, by target; a target without an outcome has not run to its end.
    ///   - after: The targets as they are after the run. A result counts only if no input has changed since.
    ///   - isCurrent: Whether the tests are still those that were built for this run.
    package func finish(_ outcomes: [String: TestOutcome], after: [TestTarget], isCurrent: Bool = true) -> [(
        target: TestTarget, verdict: Verdict
    )] {
        let later = Dictionary(after.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let known = Set(zip(targets, records).filter { $1 != nil }.map(\.0.name))
        func save(_ record: PassedTests) { if !isReadOnly { store.save(record) } }
        return wanted.map { target in
            guard let outcome = outcomes[target.name] else {
                return (target, .failed("the run was interrupted"))
            }
            let record = PassedTests(
                key: target.key, target: target.name, tests: outcome.passed.count, seconds: outcome.seconds)
            let failures = outcome.failed.sorted()
            guard outcome.isComplete(maySkip: target.maySkip) else {
                let isKnown = known.contains(target.name)
                if isKnown { save(PassedTests(key: target.key, target: target.name, tests: 0, seconds: 0)) }
                if isKnown, !outcome.isWhole || !failures.isEmpty { return (target, .hole(tests: failures)) }
                if !failures.isEmpty {
                    return (
                        target, .failed(Spelling.count(failures.count, "test") + " failed", tests: failures)
                    )
                }
                if !outcome.isWhole {
                    return (target, .failed("its process ended before all tests had passed"))
                }
                let missing = outcome.missing(maySkip: target.maySkip).min()
                return (target, .passed(notStored: missing.map { "\($0) was skipped" } ?? "it has no tests"))
            }
            let change = Self.change(from: target, to: later[target.name])
            if change == nil { history.save(target) }
            if let reason = target.alwaysRuns ?? later[target.name]?.alwaysRuns ?? change {
                return (target, .passed(notStored: reason))
            }
            if !isCurrent {
                return (target, .passed(notStored: "another build replaced its tests during the run"))
            }
            save(record)
            return (target, .stored(record))
        }
    }

    /// What has changed in a target during a run, or was changed and changed back.
    private static func change(from old: TestTarget, to new: TestTarget?) -> String? {
        let change = TestHistory.changes(from: old.inputs, to: new?.inputs ?? [:]).first
        let written = old.times.filter { new?.times[$0.key] != $0.value }.keys.min()
        return (change ?? written.map { "\($0) was written" }).map { $0 + " during the run" }
    }
}
