import Foundation

/// The event stream of Swift Testing (`--event-stream-output-path`, version 0): one JSON record a line.
struct TestEvents {
    /// The tests to run, such as `RideTests.Fares/zero()/Fares.swift:7:6`.
    private var tests: Set<String> = []
    private var (passed, failed, skipped) = (Set<String>(), Set<String>(), Set<String>())
    private var hasEnded = false

    init(_ stream: Data) {
        var cancelled: Set<String> = []
        for line in stream.split(separator: UInt8(ascii: "\n")) {
            // The last line of a run that crashed may be cut off.
            guard let record = try? JSONDecoder().decode(Record.self, from: line) else { continue }
            let payload = record.payload
            if record.kind == "test" {
                if payload.kind == "function", let id = payload.id { tests.insert(id) }
                continue
            }
            let symbol = payload.messages?.first?.symbol ?? ""
            // A failure outside a test has no identifier.
            let id = payload.testID ?? ""
            switch payload.kind {
            case "runEnded": hasEnded = true
            case "issueRecorded" where symbol == "fail": failed.insert(id)
            case "testSkipped": skipped.insert(id)
            case "testEnded" where symbol == "fail": failed.insert(id)
            case "testEnded" where symbol.hasPrefix("pass"): passed.insert(id)
            default: if payload.kind.hasSuffix("Cancelled") { cancelled.insert(id) }
            }
        }
        passed.subtract(cancelled)
    }

    /// The outcome of the process that wrote the stream.
    ///
    /// - Parameter status: The exit status, which is 69 if the process has no tests.
    func outcome(status: Int32) -> TestOutcome {
        // A suite fails if one of its tests does.
        let failures = failed.isDisjoint(with: tests) ? failed.subtracting([""]) : failed.intersection(tests)
        let hasSucceeded = status == (tests.isEmpty ? 69 : 0) || status == 0
        return TestOutcome(
            found: tests, passed: passed.intersection(tests), failed: failures,
            skipped: skipped.intersection(tests),
            isWhole: hasEnded && !failed.contains("") && (hasSucceeded || !failures.isEmpty))
    }

    private struct Record: Decodable {
        let kind: String
        let payload: Payload
    }

    private struct Payload: Decodable {
        struct Message: Decodable { let symbol: String }
        let kind: String
        let id: String?, testID: String?
        let messages: [Message]?
    }
}

/// The results that XCTest prints. (`--xunit-output` reports skipped tests as passed.)
struct XCTestOutput {
    private var ends: [String: [Substring]] = [:]
    private let hasEnded: Bool

    init(_ text: String) {
        // XCTest prints `LedgerTests.testSave` on Linux, and `-[GateTests.LedgerTests testSave]` on macOS.
        let pattern =
            /Test Case '(?:-\[(.+) (.+)\]|(.+)\.(.+))' (passed|failed|skipped) \([0-9.]+ seconds\)/
        hasEnded = text.contains(/Test Suite '(?:All|Selected) tests' (?:passed|failed) at/)
        for line in text.split(whereSeparator: \.isNewline) {
            guard let match = line.firstMatch(of: pattern),
                let suite = match.1 ?? match.3, let test = match.2 ?? match.4
            else { continue }
            ends["\(suite)/\(test)", default: []].append(match.5)
        }
    }

    /// The tests in a list such as that of `swift test list`, which has lines such as `GateTests.LedgerTests/testSave`.
    static func tests(in list: String) -> [String] {
        list.split(whereSeparator: \.isNewline).map(String.init)
            .filter { !$0.hasSuffix(")") && $0.wholeMatch(of: /\w+\.\S+\/\S+/) != nil }
    }

    /// The outcome of a process that ran some tests.
    func outcome(of expected: Set<String>, status: Int32) -> TestOutcome {
        var outcome = TestOutcome(found: expected, isWhole: hasEnded)
        let named = Dictionary(grouping: expected) { test in
            ends[test] == nil ? String(test.drop { $0 != "." }.dropFirst()) : test
        }
        for (name, tests) in named {
            let ends = ends[name] ?? []
            // Two modules may have equal names, which Linux does not tell apart.
            if ends.count != tests.count { outcome.isWhole = false }
            if ends.contains("failed") {
                outcome.failed.formUnion(tests)
            } else if ends.count == tests.count, ends.allSatisfy({ $0 == "passed" }) {
                outcome.passed.formUnion(tests)
            }
        }
        outcome.isWhole = outcome.isWhole && (status == 0 || !outcome.failed.isEmpty)
        return outcome
    }
}
