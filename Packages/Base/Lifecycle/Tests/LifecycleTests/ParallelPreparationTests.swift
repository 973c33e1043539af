import ApiCenter
import Foundation
import TestSupport
import Testing

@testable import Lifecycle

@Suite("Preparing modules at the same time", .timeLimit(.minutes(10)), .waitLimit)
struct ParallelPreparationTests {
    let center = ApiCenter()
    let journal = Journal()
    let clock = HandClock()

    private func module(
        _ name: String, after: [String] = [], onPrepare: @escaping @Sendable () async throws -> Void
    ) -> Recorder {
        Recorder(name: name, after: after, journal: journal, onPrepare: { _ in try await onPrepare() })
    }

    private func makeHost(_ modules: [any Module], limit: Duration = .seconds(10)) throws -> ModuleHost {
        try ModuleHost(modules, center: center, timeLimit: limit, eventLimit: limit, clock: clock)
    }

    /// Waits until as many more tasks sleep as these modules and their time limits need.
    private func untilAsleep(_ count: Int) async {
        await clock.untilAsleep(2 * count)
    }

    @Test("50 modules that take 100 ms each prepare in 100 ms, and are reported in the listed order")
    func fifty() async throws {
        let modules = (0..<50).map { index in
            module("\(index)") { [clock] in try await clock.sleep(for: .milliseconds(100)) }
        }
        let host = try makeHost(modules)
        async let preparing = host.prepare()
        await untilAsleep(50)
        clock.advance(by: .milliseconds(100))
        let report = await preparing
        #expect(clock.now.offset == .milliseconds(100))
        #expect(report.entries.map(\.module) == modules.map(\.name))
        #expect(report.entries.allSatisfy { $0.outcome == .succeeded && $0.duration == .milliseconds(100) })
    }

    @Test(
        "A chain of `after` prepares in sequence, and each module has the whole time limit from when it may start"
    )
    func chain() async throws {
        let work: @Sendable () async throws -> Void = { [clock] in
            try await clock.sleep(for: .milliseconds(100))
        }
        let host = try makeHost(
            [
                module("C", after: ["B"], onPrepare: work), module("B", after: ["A"], onPrepare: work),
                module("A", onPrepare: work),
            ], limit: .milliseconds(150))
        async let preparing = host.prepare()
        for _ in 0..<3 {
            await untilAsleep(1)
            clock.advance(by: .milliseconds(100))
        }
        let report = await preparing
        #expect(report.entries.map(\.module) == ["A", "B", "C"])
        #expect(report.entries.allSatisfy { $0.outcome == .succeeded && $0.duration == .milliseconds(100) })
        #expect(journal.all.suffix(3) == ["A prepare", "B prepare", "C prepare"])
    }

    @Test("The time limit expires for four modules that block their threads, and the others are not affected")
    func blocked() async throws {
        let end = DispatchSemaphore(value: 0)
        let (unblocked, hasEnded) = AsyncStream<Never>.makeStream()
        let blocked = ["A", "B", "C", "D"].map { module($0) { block(until: end) } }
        let others = [module("E") {}, module("F", after: ["A", "D"]) {}]
        let host = try ModuleHost(
            blocked + others, center: center, timeLimit: .seconds(1), clock: clock,
            observers: [
                { phase, module in
                    { _ in if phase == "prepare", module == "E" { hasEnded.finish() } }
                }
            ])
        async let preparing = host.prepare()
        for _ in 0..<5 { await clock.untilAsleep() }
        for await _ in unblocked {}
        clock.advance(by: .seconds(1))
        let report = await preparing
        let timedOut = LifecycleReport.Outcome.timedOut(.seconds(1))
        #expect(
            report.entries.map(\.outcome) == Array(repeating: timedOut, count: 4) + [.succeeded, .succeeded])
        for _ in blocked { end.signal() }
    }

    @Test(
        "Failed modules are rolled back in reverse order, whichever fails first, so a replaced Api does not return",
        arguments: [true, false])
    func rollbacks(firstIsLate: Bool) async throws {
        let (other, hasFailed) = AsyncStream<Never>.makeStream()
        func failing(isLate: Bool, onRegister: @escaping @Sendable (ApiCenter) -> Void) -> Recorder {
            Recorder(
                name: isLate ? "Late" : "Early", journal: journal, onRegister: onRegister,
                onPrepare: { _ in
                    if isLate { for await _ in other {} } else { hasFailed.finish() }
                    throw Failure(description: "no disk")
                })
        }
        let host = try makeHost([
            failing(isLate: firstIsLate) { $0.register(Int.self) { 1 } },
            failing(isLate: !firstIsLate) { $0.replaceApi(type: Int.self) { 2 } },
        ])
        #expect(center.api(type: Int.self) == 2)
        #expect(await host.prepare().failures.count == 2)
        #expect(center.api(type: Int.self) == nil)
    }

    @Test("An Api of a failed module does not return when the module that replaced it fails later")
    func replacedByLater() async throws {
        let (dependent, hasBegun) = AsyncStream<Never>.makeStream()
        let failure = Failure(description: "no disk")
        let host = try makeHost([
            Recorder(
                name: "A", journal: journal, onRegister: { $0.register(Int.self) { 1 } },
                onPrepare: { _ in throw failure }),
            Recorder(
                name: "C", journal: journal, onRegister: { $0.replaceApi(type: Int.self) { 2 } },
                onPrepare: { _ in
                    for await _ in dependent {}
                    throw failure
                }),
            module("D", after: ["A"]) { hasBegun.finish() },
        ])
        #expect(await host.prepare().failures.map(\.module) == ["A", "C"])
        #expect(center.api(type: Int.self) == nil)
    }

    @Test(
        "An Api does not return when the modules that registered and replaced it are left out, in either order",
        arguments: [["A", "B"], ["B", "A"]])
    func replacedAndLeftOut(names: [String]) async throws {
        let host = try makeHost([
            Recorder(name: "A", journal: journal, onRegister: { $0.register(Int.self) { 1 } }),
            Recorder(name: "B", journal: journal, onRegister: { $0.replaceApi(type: Int.self) { 2 } }),
        ])
        await host.prepare()
        for name in names { await host.leaveOut(name) }
        #expect(center.api(type: Int.self) == nil)
    }

    @Test("A module that is left out after the preparation loses its Apis and gets no events")
    func leftOut() async throws {
        let host = try makeHost([
            Recorder(name: "A", journal: journal, onRegister: { $0.register(Int.self) { 1 } }),
            module("B") {},
        ])
        await host.prepare()
        await host.leaveOut("A")
        #expect(center.api(type: Int.self) == nil)
        #expect(await host.send(.launch).entries.map(\.outcome) == [.skipped, .succeeded])
    }
}

/// Blocks the thread, as a module does that calls a synchronous function of the system.
private func block(until end: DispatchSemaphore) { end.wait() }
