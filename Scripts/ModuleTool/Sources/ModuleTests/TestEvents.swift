import Foundation

/// What happened to the tests of a test target in one run.
package struct TestOutcome: Sendable, Hashable {
    /// The tests that the run found.
    package var found: Set<String> = []
    package var passed: Set<String> = []
    package var failed: Set<String> = []
    package var skipped: Set<String> = []
    /// The target's share of the time that the run took. Tests run side by side, so the time between the ends of two
    /// test cases counts for the target of the second. (Many tests end only at the end of the run.)
    package var seconds: Double = 0

    /// The tests that have not run to their end and passed, for example because they were cancelled or interrupted by a
    /// crash.
    ///
    /// - Parameter maySkip: Whether tests may be disabled or skipped, as long as one has passed.
    func missing(maySkip: Bool = false) -> Set<String> {
        found.subtracting(passed).subtracting(maySkip && !passed.isEmpty ? skipped : [])
    }

    func isComplete(maySkip: Bool = false) -> Bool {
        !found.isEmpty && missing(maySkip: maySkip).isEmpty && failed.isEmpty
    }

    /// This outcome and that of more tests.
    func joined(_ more: Self) -> Self {
        TestOutcome(
            found: found.union(more.found), passed: passed.union(more.passed),
            failed: failed.union(more.failed), skipped: skipped.union(more.skipped),
            seconds: seconds + more.seconds)
    }
}

/// The event stream of Swift Testing (`--event-stream-output-path`, version 0): one JSON record a line.
struct TestEvents {
    /// The outcomes by module.
    private(set) var outcomes: [String: TestOutcome] = [:]
    /// Whether the run ended by itself, and every failure belongs to a test.
    private(set) var isWhole = false

    init(_ stream: Data) {
        var last: Double?
        var hasEnded = false
        var isOrphaned = false
        var modules: [String: String] = [:]
        var cancelled: Set<String> = []
        for line in stream.split(separator: UInt8(ascii: "\n")) {
            // The last line of a run that crashed may be cut off.
            guard let record = try? JSONDecoder().decode(Record.self, from: line) else { continue }
            let payload = record.payload
            if record.kind == "test" {
                guard payload.kind == "function", let id = payload.id else { continue }
                // The identifier of a test in an extension begins with the module of the extended type.
                modules[id] = String((payload.sourceLocation?.fileID ?? id).prefix { $0 != "/" && $0 != "." })
                outcomes[modules[id] ?? "", default: .init()].found.insert(id)
                continue
            }
            let symbol = payload.messages?.first?.symbol ?? ""
            let isFailure = payload.kind == "issueRecorded" && symbol == "fail"
            let time = payload.instant?.absolute ?? 0
            guard let id = payload.testID else {
                if payload.kind == "runStarted" { last = time }
                hasEnded = hasEnded || payload.kind == "runEnded"
                isOrphaned = isOrphaned || isFailure
                continue
            }
            let module = modules[id] ?? String(id.prefix { $0 != "." })
            if payload.kind.hasSuffix("Cancelled") { cancelled.insert(id) }
            if payload.kind == "testSkipped" { outcomes[module, default: .init()].skipped.insert(id) }
            if isFailure { outcomes[module, default: .init()].failed.insert(id) }
            guard payload.kind.hasSuffix("Ended"), modules[id] != nil else { continue }
            outcomes[module]?.seconds += max(0, time - (last ?? time))
            last = time
            guard payload.kind == "testEnded", !cancelled.contains(id) else { continue }
            if symbol.hasPrefix("pass") { outcomes[module]?.passed.insert(id) }
        }
        isWhole = hasEnded && !isOrphaned
    }

    private struct Record: Decodable {
        let kind: String
        let payload: Payload
    }

    private struct Payload: Decodable {
        struct Instant: Decodable { let absolute: Double }
        struct Message: Decodable { let symbol: String }
        struct Location: Decodable { let fileID: String }
        let kind: String
        let id: String?, testID: String?
        let instant: Instant?
        let messages: [Message]?
        let sourceLocation: Location?
    }
}

/// The results that XCTest prints. (`--xunit-output` reports skipped tests as passed.)
struct XCTestOutput {
    /// The outcomes by module.
    private(set) var outcomes: [String: TestOutcome] = [:]

    /// - Parameters:
    ///   - text: The output of `swift test`.
    ///   - list: The output of `swift test list`, with lines such as `GateTests.LedgerTests/testSave`.
    ///   - modules: The modules whose tests ran.
    init(_ text: String, list: String, modules: Set<String>) {
        // XCTest prints `LedgerTests.testSave` on Linux, and `-[GateTests.LedgerTests testSave]` on macOS.
        var states: [String: [(state: Substring, seconds: Double)]] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let pattern =
                /Test Case '(?:-\[(.+) (.+)\]|(.+)\.(.+))' (passed|failed|skipped) \(([0-9.]+) seconds\)/
            guard let match = line.firstMatch(of: pattern),
                let suite = match.1 ?? match.3, let test = match.2 ?? match.4
            else { continue }
            states["\(suite)/\(test)", default: []].append((match.5, Double(match.6) ?? 0))
        }
        var expected: [String: [String]] = [:]
        for line in list.split(whereSeparator: \.isNewline).map(String.init) where !line.hasSuffix(")") {
            guard let match = line.wholeMatch(of: /(\w+)\.(.+\/.+)/), modules.contains(String(match.1)) else {
                continue
            }
            outcomes[String(match.1), default: .init()].found.insert(line)
            expected[states[line] == nil ? String(match.2) : line, default: []].append(line)
        }
        for (name, tests) in expected {
            let ends = states[name] ?? []
            // Two modules may have equal names, which Linux does not tell apart.
            let hasPassed = ends.count == tests.count && ends.allSatisfy { $0.state == "passed" }
            for test in tests {
                let module = String(test.prefix { $0 != "." })
                outcomes[module]?.seconds += ends.first?.seconds ?? 0
                if hasPassed { outcomes[module]?.passed.insert(test) }
                if ends.contains(where: { $0.state == "failed" }) { outcomes[module]?.failed.insert(test) }
            }
        }
    }
}
