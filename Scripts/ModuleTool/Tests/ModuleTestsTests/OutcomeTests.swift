import Foundation
import Testing

@testable import ModuleTests

@Suite("Outcomes of a run")
struct OutcomeTests {
    private static func test(_ id: String, in module: String? = nil) -> String {
        let place = module.map { #","sourceLocation":{"fileID":"\#($0)/File.swift"}"# } ?? ""
        return #"{"kind":"test","payload":{"id":"\#(id)","kind":"function"\#(place)},"version":0}"#
    }

    private static func event(_ kind: String, _ id: String? = nil, at time: Double = 0, _ more: String = "")
        -> String
    {
        #"{"kind":"event","payload":{"kind":"\#(kind)","instant":{"absolute":\#(time)}"#
            + (id.map { #","testID":"\#($0)""# } ?? "") + more + "}}"
    }

    private static func end(_ id: String, _ symbol: String, at time: Double = 0) -> String {
        event("testEnded", id, at: time, #","messages":[{"symbol":"\#(symbol)"}]"#)
    }

    private static let start = [
        test("A.one()"), test("A.S/two()"), test("B.b()"), event("runStarted", at: 1),
    ]
    private static let good = [end("A.one()", "pass", at: 2), end("A.S/two()", "passWithKnownIssue", at: 4)]
    private static let whole = [end("B.b()", "pass"), event("runEnded")]

    private func outcomes(
        _ lines: [String], status: Int32 = 0, text: String = "", list: String = "",
        modules: Set<String> = ["A", "B"]
    ) -> [String: TestOutcome] {
        TestRun.outcomes(
            status: status, stream: Data(lines.joined(separator: "\n").utf8), text: text, list: list,
            modules: modules, all: ["A", "B", "C", "D"])
    }

    @Test("A target has passed if each of its tests has ended and passed")
    func passed() {
        let outcome = outcomes(Self.start + Self.good + Self.whole)
        #expect(outcome["A"]?.isComplete() == true && outcome["B"]?.isComplete() == true)
        #expect(outcome["A"]?.seconds == 3 && outcome["A"]?.found.count == 2)
        let late = [
            Self.event("testCaseEnded", "A.one()", at: 2), Self.event("testCaseEnded", "B.b()", at: 6),
            Self.end("B.b()", "pass", at: 6), Self.end("A.one()", "pass", at: 6.5),
            Self.end("A.S/two()", "pass", at: 7),
        ]
        let shares = outcomes(Self.start + late + [Self.event("runEnded")])
        #expect(shares["A"]?.seconds == 2 && shares["B"]?.seconds == 4)
        let known = Self.event(
            "issueRecorded", "A.S/two()", #","messages":[{"symbol":"passWithKnownIssue"}]"#)
        #expect(outcomes(Self.start + [known] + Self.good + Self.whole)["A"]?.isComplete() == true)
    }

    @Test(
        "A test that is skipped, disabled, cancelled or failed has not passed, and other targets have",
        arguments: [
            [event("testSkipped", "A.S/two()")], [end("A.S/two()", "skip")], [end("A.S/two()", "fail")], [],
            [
                event("issueRecorded", "A.S/two()", #","messages":[{"symbol":"fail"}]"#),
                end("A.S/two()", "pass"),
            ],
            [event("testCaseCancelled", "A.S/two()"), end("A.S/two()", "pass")],
        ])
    func notPassed(_ lines: [String]) {
        let outcome = outcomes(Self.start + [Self.good[0]] + lines + Self.whole)
        #expect(outcome["A"]?.isComplete() == false && outcome["B"]?.isComplete() == true)
    }

    @Test("A test in an extension counts for its target, and a test in a library for every target")
    func otherModules() {
        let more = [Self.test("Y.Kind/inA()", in: "A"), Self.test("Y.library()", in: "Y")]
        let passing = Self.start + more + Self.good + [Self.end("Y.library()", "pass")]
        let inA = Self.end("Y.Kind/inA()", "pass")
        #expect(outcomes(passing + Self.whole)["A"]?.isComplete() == false)
        let both = outcomes(passing + [inA] + Self.whole)
        #expect(both["A"]?.isComplete() == true && both["B"]?.isComplete() == true)
        let failure = Self.event("issueRecorded", "Y.library()", #","messages":[{"symbol":"fail"}]"#)
        let failed = outcomes(passing + [inA, failure] + Self.whole, status: 1)
        #expect(failed["A"]?.isComplete() == false && failed["B"]?.isComplete() == false)
    }

    @Test("A run that crashed, or has a failure that belongs to no test, says nothing")
    func broken() {
        let passing = Self.start + Self.good
        #expect(outcomes(passing + [Self.whole[0]], status: 1).isEmpty)
        #expect(outcomes(passing + Self.whole, status: 1).isEmpty)
        #expect(outcomes(passing + [Self.whole[0], String(Self.whole[1].dropLast(9))]).isEmpty)
        let orphan = Self.event("issueRecorded", nil, #","messages":[{"symbol":"fail"}]"#)
        #expect(outcomes(passing + [orphan] + Self.whole).isEmpty)
        #expect(outcomes([]).isEmpty)
    }

    private static let list =
        "[0/1] Planning build\nC.Ledger/testA\nC.Ledger/testB\nD.Ledger/testA\nA.S/two()\n"

    @Test("XCTest's results count on Linux and on macOS")
    func xctest() {
        func outcome(
            _ text: String, modules: Set<String> = ["C"], status: Int32 = 0, _ lines: [String] = []
        ) -> [String: TestOutcome] {
            outcomes(lines + Self.whole, status: status, text: text, list: Self.list, modules: modules)
        }
        let linux =
            "Test Case 'Ledger.testA' passed (0.5 seconds)\nTest Case 'Ledger.testB' passed (0.25 seconds)\n"
        #expect(outcome(linux)["C"]?.isComplete() == true && outcome(linux)["C"]?.seconds == 0.75)
        #expect(outcome("A line without an end. " + linux)["C"]?.isComplete() == true)
        // Its process may have crashed, and another test's failure explains the exit status.
        let failure = Self.event("issueRecorded", "A.one()", #","messages":[{"symbol":"fail"}]"#)
        #expect(outcome(linux, status: 1, Self.start + [failure])["C"]?.isComplete() == false)
        let mac =
            "Test Case '-[C.Ledger testA]' passed (0.5 seconds).\nTest Case '-[C.Ledger testB]' passed (0.2 seconds).\n"
        #expect(outcome(mac)["C"]?.isComplete() == true)
        #expect(outcome(mac, modules: ["C", "D"])["D"]?.isComplete() == false)
        for state in ["skipped", "failed", "started"] {
            let text = linux.replacing("testB' passed", with: "testB' \(state)")
            #expect(outcome(text)["C"]?.isComplete() == false, "\(state)")
        }
        // Linux does not tell the classes of two modules apart, so both have to pass.
        #expect(outcome(linux, modules: ["C", "D"])["D"]?.isComplete() == false)
        #expect(outcome(linux + linux.prefix { $0 != "\n" }, modules: ["C", "D"])["D"]?.isComplete() == true)
        let failing = linux + "Test Case 'Ledger.testA' failed (0.5 seconds)\n"
        #expect(
            outcome(failing, modules: ["C", "D"]).values.allSatisfy {
                !$0.isComplete() || $0.found == ["B.b()"]
            })
    }

    @Test("Options that would leave out tests are refused")
    func options() throws {
        for option in ["--filter", "--skip=A", "--skip-build", "list", "-s"] {
            #expect(throws: (any Error).self, "\(option)") { try TestRun.check(["-c", "release", option]) }
        }
        try TestRun.check(["-c", "release", "--parallel"])
    }
}
