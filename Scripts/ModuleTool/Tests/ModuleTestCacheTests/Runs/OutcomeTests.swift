import Foundation
import Testing

@testable import ModuleTestCache

@Suite("Outcomes of a run")
struct OutcomeTests {
    private static func test(_ id: String, _ kind: String = "function") -> String {
        #"{"kind":"test","payload":{"id":"\#(id)","kind":"\#(kind)"},"version":0}"#
    }

    private static func event(_ kind: String, _ id: String? = nil, _ symbol: String? = nil) -> String {
        #"{"kind":"event","payload":{"kind":"\#(kind)","instant":{"absolute":0}"#
            + (id.map { #","testID":"\#($0)""# } ?? "")
            + (symbol.map { #","messages":[{"symbol":"\#($0)"}]"# } ?? "") + "}}"
    }

    private static let start = [
        test("A.S", "suite"), test("A.one()"), test("A.S/two()"), event("runStarted"),
    ]
    private static let good = [
        event("testEnded", "A.one()", "pass"), event("testEnded", "A.S/two()", "passWithKnownIssue"),
    ]
    private static let end = [event("runEnded")]

    private func outcome(_ lines: [String], status: Int32 = 0) -> TestOutcome {
        TestEvents(Data(lines.joined(separator: "\n").utf8)).outcome(status: status)
    }

    @Test("A target has passed if each of its tests has ended and passed")
    func passed() {
        let outcome = outcome(Self.start + Self.good + Self.end)
        #expect(outcome.isComplete() && outcome.found == ["A.one()", "A.S/two()"])
        let known = Self.event("issueRecorded", "A.S/two()", "passWithKnownIssue")
        #expect(self.outcome(Self.start + [known] + Self.good + Self.end).isComplete())
    }

    @Test(
        "A test that is skipped, disabled, cancelled or failed has not passed",
        arguments: [
            [event("testSkipped", "A.S/two()", "skip")], [event("testEnded", "A.S/two()", "skip")],
            [event("testEnded", "A.S/two()", "fail")], [],
            [event("issueRecorded", "A.S/two()", "fail"), event("testEnded", "A.S/two()", "pass")],
            [event("testCaseCancelled", "A.S/two()"), event("testEnded", "A.S/two()", "pass")],
        ])
    func notPassed(_ lines: [String]) {
        let outcome = outcome(Self.start + [Self.good[0]] + lines + Self.end)
        #expect(!outcome.isComplete() && outcome.passed.contains("A.one()"))
    }

    @Test("A failed test is named, and the suite only if none of its tests is")
    func failures() {
        let suite = Self.event("testEnded", "A.S", "fail")
        let two = [Self.event("issueRecorded", "A.S/two()", "fail"), suite]
        #expect(outcome(Self.start + two + Self.end, status: 1).failed == ["A.S/two()"])
        let alone = outcome(Self.start + Self.good + [suite] + Self.end, status: 1)
        #expect(alone.failed == ["A.S"] && alone.isWhole && !alone.isComplete())
    }

    @Test("A run that crashed, ended early, or has a failure that belongs to no test, is not whole")
    func broken() {
        let passing = Self.start + Self.good
        #expect(!outcome(passing, status: 0).isWhole)
        #expect(!outcome(passing + Self.end, status: 1).isWhole)
        #expect(!outcome(passing + [String(Self.end[0].dropLast(9))]).isWhole)
        #expect(!outcome(passing + [Self.event("issueRecorded", nil, "fail")] + Self.end, status: 1).isWhole)
        #expect(!outcome([]).isWhole)
        // Swift Testing ends with 69 if it finds no test.
        #expect(outcome(Self.end, status: 69).isWhole && !outcome(Self.end, status: 69).isComplete())
        #expect(!outcome(passing + Self.end, status: 69).isWhole)
    }

    private static let list =
        "Listing 3 tests in debug.xctest:\n\nC.Ledger/testA\nC.Ledger/testB\nA.S/two()\n"

    private func xctest(
        _ text: String, _ more: Set<String> = [], status: Int32 = 0,
        end: String = "Test Suite 'Selected tests' passed at 2026-11-28 08:33:51.276\n"
    ) -> TestOutcome {
        XCTestOutput(text + end).outcome(of: more.union(XCTestOutput.tests(in: Self.list)), status: status)
    }

    @Test("XCTest's results count on Linux and on macOS")
    func xctest() {
        let linux =
            "Test Case 'Ledger.testA' passed (0.5 seconds)\nTest Case 'Ledger.testB' passed (0.25 seconds)\n"
        #expect(xctest(linux).isComplete() && xctest(linux).found == ["C.Ledger/testA", "C.Ledger/testB"])
        #expect(xctest("A line without an end. " + linux).isComplete())
        #expect(!xctest(linux, status: 1).isWhole)
        // A class may end the process after its tests.
        #expect(!xctest(linux, end: "").isWhole)
        #expect(!xctest(linux.prefix { $0 != "\n" } + "\n").isWhole)
        let mac =
            "Test Case '-[C.Ledger testA]' passed (0.5 seconds).\nTest Case '-[C.Ledger testB]' passed (0.2 seconds).\n"
        #expect(xctest(mac).isComplete())
        #expect(!xctest(mac, ["D.Ledger/testA"]).isWhole)
        for (state, isWhole) in [("skipped", true), ("failed", true), ("started", false)] {
            let outcome = xctest(linux.replacing("testB' passed", with: "testB' \(state)"))
            #expect(!outcome.isComplete() && outcome.isWhole == isWhole, "\(state)")
        }
        // Linux does not tell the classes of two modules apart, so both have to pass.
        let twin: Set = ["D.Ledger/testA"]
        #expect(!xctest(linux, twin).isComplete())
        #expect(xctest(linux + linux.prefix { $0 != "\n" }, twin).isComplete())
        let failing = linux + "Test Case 'Ledger.testA' failed (0.5 seconds)\n"
        #expect(xctest(failing, twin, status: 1).failed == ["C.Ledger/testA", "D.Ledger/testA"])
    }

    @Test("Outcomes of two libraries are whole only together")
    func joined() {
        let (good, bad) = (
            TestOutcome(found: ["a"], passed: ["a"]), TestOutcome(found: ["b"], isWhole: false)
        )
        #expect(good.joined(good).isComplete() && !good.joined(bad).isComplete() && !bad.joined(good).isWhole)
    }
}
