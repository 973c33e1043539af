import ModuleFixtures
import Synchronization
import Testing

@testable import ModuleTests

@Suite("Which tests run, and which results are stored")
struct PlanTests {
    /// A store in memory.
    private final class MemoryStore: ResultStore {
        let records = Mutex<[String: PassedTests]>([:])

        func record(of key: String) -> PassedTests? { records.withLock { $0[key] } }

        func save(_ record: PassedTests) { records.withLock { $0[record.key] = record } }
    }

    private let folder: TemporaryTree
    private let store = MemoryStore()

    init() throws { folder = try TemporaryTree() }

    private func target(
        _ name: String, _ input: String = "a", alwaysRuns: String? = nil, maySkip: Bool = false
    ) -> TestTarget {
        TestTarget(
            name: name, module: name, inputs: ["file": input, "name": name], alwaysRuns: alwaysRuns,
            maySkip: maySkip)
    }

    private func plan(_ targets: [TestTarget], all: Bool = false, isReadOnly: Bool = false) -> TestPlan {
        TestPlan(
            targets, all: all, store: store, isReadOnly: isReadOnly,
            history: TestHistory(package: folder.root))
    }

    private func run(_ outcomes: [String: TestOutcome], status: Int32 = 0) -> TestRun {
        TestRun(status: status, outcomes: outcomes)
    }

    private let passed = TestOutcome(found: ["t"], passed: ["t"], seconds: 2)
    private let failed = TestOutcome(found: ["t"], failed: ["t"])

    @Test("A target that has passed is known until an input changes, and the list says which one")
    func known() {
        let (a, b) = (target("A"), target("B"))
        #expect(
            plan([a, b]).states.map(\.state)
                == Array(repeating: .runs(reason: "has not passed in this clone yet"), count: 2))
        let verdicts = plan([a, b]).finish(run(["A": passed, "B": failed], status: 1), after: [a, b])
        let record = PassedTests(key: a.key, target: "A", tests: 1, seconds: 2)
        #expect(verdicts.map(\.verdict) == [.stored(record), .failed("1 test failed")])
        #expect(plan([a, b]).states[0].state == .known(record))
        #expect(plan([a, b]).wanted.map(\.name) == ["B"])
        store.records.withLock { $0 = [:] }
        #expect(plan([a]).states[0].state == .runs(reason: "has no stored result"))
        #expect(plan([target("A", "b")]).states[0].state == .runs(reason: "file has changed"))
    }

    @Test("A result counts only if no input changed during the run, and all inputs are known")
    func changed() {
        let verdict = plan([target("A")]).finish(run(["A": passed]), after: [target("A", "b")])[0].verdict
        #expect(verdict == .passed(notStored: "file has changed during the run"))
        let open = target("A", alwaysRuns: "A.swift contains `../`")
        #expect(
            plan([open]).finish(run(["A": passed]), after: [open])[0].verdict
                == .passed(notStored: "A.swift contains `../`"))
        #expect(store.records.withLock { $0.isEmpty })
        #expect(plan([open]).states[0].state == .runs(reason: "always runs: A.swift contains `../`"))
    }

    @Test("A skipped test, a run without tests and a crash are not stored")
    func notPassed() {
        let skipped = TestOutcome(found: ["t", "u"], passed: ["t"])
        let names = ["A", "B"]
        let targets = names.map { target($0) }
        #expect(
            plan(targets).finish(run(["A": skipped]), after: targets).map(\.verdict) == [
                .passed(notStored: "some tests did not report that they passed, such as u"),
                .passed(notStored: "no test ran"),
            ])
        #expect(
            plan(targets).finish(run([:], status: 1), after: targets).map(\.verdict)
                == names.map { _ in .failed("the run did not end by itself") })
        #expect(store.records.withLock { $0.isEmpty })
    }

    @Test(
        "Where the inputs decide which tests are skipped, the others are enough; a cancelled test still counts"
    )
    func maySkip() {
        let (a, b, c) = (target("A", maySkip: true), target("B", maySkip: true), target("C"))
        let skipped = TestOutcome(found: ["t", "u"], passed: ["t"], skipped: ["u"])
        let cancelled = TestOutcome(found: ["t", "u", "v"], passed: ["t"], skipped: ["u"])
        let verdicts = plan([a, b, c]).finish(
            run(["A": skipped, "B": cancelled, "C": skipped]), after: [a, b, c])
        #expect(
            verdicts.map(\.verdict) == [
                .stored(PassedTests(key: a.key, target: "A", tests: 1, seconds: 0)),
                .passed(notStored: "some tests did not report that they passed, such as v"),
                .passed(notStored: "some tests did not report that they passed, such as u"),
            ])
        let none = TestOutcome(found: ["t"], skipped: ["t"])
        #expect(
            plan([b]).finish(run(["B": none]), after: [b])[0].verdict
                == .passed(notStored: "some tests did not report that they passed, such as t"))
    }

    @Test("A store for reading is not written")
    func readOnly() {
        let a = target("A")
        _ = plan([a], isReadOnly: true).finish(run(["A": passed]), after: [a])
        #expect(store.records.withLock { $0.isEmpty })
    }

    @Test("With --all, a known target that fails is a hole, and its record is withdrawn")
    func hole() {
        let targets = [target("A"), target("B")]
        _ = plan(targets).finish(run(["A": passed, "B": passed]), after: targets)
        #expect(plan(targets).wanted.isEmpty)
        let all = plan(targets, all: true)
        #expect(all.wanted.count == 2)
        let verdicts = all.finish(run(["A": failed, "B": passed], status: 1), after: targets)
        #expect(verdicts[0].verdict == .hole && verdicts[1].verdict != .hole)
        #expect(plan(targets).wanted.map(\.name) == ["A"])
        // After a crash, nobody knows whose test it was.
        let crash = plan([targets[1]], all: true).finish(run([:], status: 1), after: targets)
        #expect(crash[0].verdict == .failed("the run did not end by itself"))
        #expect(plan(targets).wanted.map(\.name) == ["A", "B"])
    }
}
