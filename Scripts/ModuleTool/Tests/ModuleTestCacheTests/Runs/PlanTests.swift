import ModuleFixtures
import Synchronization
import Testing

@testable import ModuleTestCache

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

    private let passed = TestOutcome(found: ["t"], passed: ["t"], seconds: 2)
    private let failed = TestOutcome(found: ["t"], failed: ["t"])

    @Test("A target that has passed is known until an input changes, and the list says which one")
    func known() {
        let (a, b) = (target("A"), target("B"))
        #expect(
            plan([a, b]).states.map(\.state)
                == Array(repeating: .runs(reason: "has not passed in this clone yet"), count: 2))
        let verdicts = plan([a, b]).finish(["A": passed, "B": failed], after: [a, b])
        let record = PassedTests(key: a.key, target: "A", tests: 1, seconds: 2)
        #expect(verdicts.map(\.verdict) == [.stored(record), .failed("1 test failed", tests: ["t"])])
        #expect(plan([a, b]).states[0].state == .known(record))
        #expect(plan([a, b]).wanted.map(\.name) == ["B"])
        #expect(plan([a, b]).knownSeconds == 2 && plan([a, b], all: true).knownSeconds == 0)
        store.records.withLock { $0 = [:] }
        #expect(plan([a]).states[0].state == .runs(reason: "has no stored result"))
        #expect(plan([target("A", "b")]).states[0].state == .runs(reason: "file has changed"))
    }

    @Test("A result counts only if no input changed during the run, and all inputs are known")
    func changed() {
        let verdict = plan([target("A")]).finish(["A": passed], after: [target("A", "b")])[0].verdict
        #expect(verdict == .passed(notStored: "file has changed during the run"))
        let open = target("A", alwaysRuns: "A.swift contains `../`")
        #expect(
            plan([open]).finish(["A": passed], after: [open])[0].verdict
                == .passed(notStored: "A.swift contains `../`"))
        #expect(store.records.withLock { $0.isEmpty })
        #expect(plan([open]).states[0].state == .runs(reason: "always runs: A.swift contains `../`"))
    }

    @Test(
        "A skipped test and a target without tests are not stored; a target without a complete result has failed"
    )
    func notPassed() {
        let skipped = TestOutcome(found: ["t", "u", "v"], passed: ["t"], skipped: ["u", "v"])
        let ended = TestOutcome(found: ["t"], passed: ["t"], isWhole: false)
        let targets = ["A", "B", "C", "D"].map { target($0) }
        #expect(
            plan(targets).finish(["A": skipped, "B": TestOutcome(), "C": ended], after: targets).map(
                \.verdict)
                == [
                    .passed(notStored: "u was skipped"), .passed(notStored: "it has no tests"),
                    .failed("its process ended before all tests had passed"),
                    .failed("the run was interrupted"),
                ])
        #expect(store.records.withLock { $0.isEmpty })
    }

    @Test("A result does not count if a file was written during the run, or another build replaced the tests")
    func replaced() throws {
        let (early, late) = (try #require(FileTimes("/")), try #require(FileTimes("/dev/null")))
        var (before, after) = (target("A"), target("A"))
        (before.times, after.times) = (["A.swift": early], ["A.swift": late])
        #expect(
            plan([before]).finish(["A": passed], after: [after]).map(\.verdict)
                == [.passed(notStored: "A.swift was written during the run")])
        #expect(
            plan([before]).finish(["A": passed], after: [before], isCurrent: false).map(\.verdict)
                == [.passed(notStored: "another build replaced its tests during the run")])
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
            ["A": skipped, "B": cancelled, "C": skipped], after: [a, b, c])
        #expect(
            verdicts.map(\.verdict) == [
                .stored(PassedTests(key: a.key, target: "A", tests: 1, seconds: 0)),
                .passed(notStored: "v was skipped"),
                .passed(notStored: "u was skipped"),
            ])
        let none = TestOutcome(found: ["t"], skipped: ["t"])
        #expect(
            plan([b]).finish(["B": none], after: [b])[0].verdict
                == .passed(notStored: "t was skipped"))
    }

    @Test("A store for reading is not written")
    func readOnly() {
        let a = target("A")
        _ = plan([a], isReadOnly: true).finish(["A": passed], after: [a])
        #expect(store.records.withLock { $0.isEmpty })
    }

    @Test("With --all, a known target that fails is a hole, and its record is withdrawn")
    func hole() {
        let targets = [target("A"), target("B")]
        _ = plan(targets).finish(["A": passed, "B": passed], after: targets)
        #expect(plan(targets).wanted.isEmpty)
        let all = plan(targets, all: true)
        #expect(all.wanted.count == 2)
        let verdicts = all.finish(["A": failed, "B": passed], after: targets)
        #expect(verdicts[0].verdict == .hole(tests: ["t"]) && verdicts[1].verdict != verdicts[0].verdict)
        #expect(plan(targets).wanted.map(\.name) == ["A"])
        let withdrawn = PassedTests(key: targets[0].key, target: "A", tests: 0, seconds: 0)
        #expect(store.record(of: withdrawn.key) == withdrawn)
        // An interrupt says nothing about a target.
        #expect(
            plan([targets[1]], all: true).finish([:], after: targets)[0].verdict
                == .failed("the run was interrupted"))
        #expect(plan(targets).wanted.map(\.name) == ["A"])
        let crash = TestOutcome(found: ["t"], isWhole: false)
        #expect(
            plan([targets[1]], all: true).finish(["B": crash], after: targets)[0].verdict == .hole(tests: []))
        #expect(plan(targets).wanted.map(\.name) == ["A", "B"])
    }

    @Test("A test target is built together with the test targets that it links")
    func linkedTests() throws {
        let manifest = TestTree.root.replacing(
            "path: \"Apps/PlainTests\"", with: "dependencies: [\"ReadsTests\"], path: \"Apps/PlainTests\"")
        #expect(
            try TestTree(["Package.swift": manifest]).target("PlainTests")?.tests == [
                "PlainTests", "ReadsTests",
            ])
        #expect(try TestTree().target("PlainTests")?.tests == ["PlainTests"])
    }
}
