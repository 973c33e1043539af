import ApiCenter
import Foundation
import TestSupport
import Testing

@testable import Lifecycle

@Suite("Building the services of modules", .timeLimit(.minutes(10)), .waitLimit)
struct BuildingTests {
    final class Service: Sendable {}

    let center = ApiCenter()
    let journal = Journal()

    private func module(
        _ name: String, after: [String] = [],
        onPrepare: @escaping @Sendable (ApiCenter) async throws -> Void = { _ in },
        onRegister: @escaping @Sendable (ApiCenter) -> Void
    ) -> Recorder {
        Recorder(name: name, after: after, journal: journal, onRegister: onRegister, onPrepare: onPrepare)
    }

    private func host(_ modules: any Module...) throws -> ModuleHost {
        try ModuleHost(modules, center: center, clock: StillClock(waitsEnd: false))
    }

    @Test("The host builds what a module registered once, and then lets the module prepare")
    func order() async throws {
        let host = try host(
            module("A") { [journal] center in
                center.register(Service.self, scope: .once) {
                    journal.note("A once")
                    return Service()
                }
                center.register(Int.self) {
                    journal.note("A each")
                    return 1
                }
                center.register(String.self, scope: .session(Service.self)) {
                    journal.note("A session")
                    return ""
                }
                center.register(Screen.self, scope: .main(.once)) { Screen() }
            })
        #expect(await host.prepare().failures == [])
        #expect(journal.all == ["A register", "A once", "A prepare"])
        _ = center.api(type: Service.self)
        #expect(journal.all.count == 3)
    }

    /// A module without a `prepare` of its own.
    private struct Bare: Module {
        let version = "1.0.0"
        func register(in center: ApiCenter) {
            center.register(String.self) { "works" }
            center.register(Service.self, scope: .once) { throw Failure(description: "no disk") }
        }
    }

    @Test("A module whose service cannot be built is left out by name, even without a `prepare` of its own")
    func fails() async throws {
        let host = try host(Bare(), module("B", after: ["Bare"]) { $0.register(Int.self) { 1 } })
        #expect(await host.prepare().failureLines == ["Bare failed at prepare: no disk"])
        #expect(!center.isRegisteredApi(api: Service.self) && !center.isRegisteredApi(api: String.self))
        #expect(await host.send(.launch).entries.map(\.outcome) == [.skipped, .succeeded])
        #expect(journal.all == ["B register", "B prepare", "B launch"])
    }

    @Test("The report contains the error of the first builder that failed, or the missing Api")
    func origin() async throws {
        let host = try host(
            module("A") {
                $0.register(Service.self, scope: .once) { throw Failure(description: "no disk") }
                $0.register([Service].self, scope: .once) { [try $0.requireApi(type: Service.self)] }
            },
            module("B") { $0.register([Int].self, scope: .once) { [try $0.requireApi(type: Int.self)] } },
            module("C", after: ["A"]) {
                $0.register(String.self, scope: .once) { "\(try $0.requireApi(type: [Service].self).count)" }
            })
        let lines = await host.prepare().failureLines
        #expect(lines.first == "A failed at prepare: no disk")
        #expect(lines.count == 3 && lines[1].contains("no IMP of Swift.Int is registered"))
        #expect(lines.last?.contains("is registered") == true)
        #expect(center.allRegisteredApi() == [])
    }

    @Test("The app decides how an error reads in the reports")
    func explains() async throws {
        let noDisk = Failure(description: "no disk")
        let host = try ModuleHost(
            [
                module("A") { $0.register(Service.self, scope: .once) { throw noDisk } },
                module("B", onPrepare: { _ in throw Failure(description: "no key") }) { _ in },
            ], center: center, clock: StillClock(waitsEnd: false), explain: { "\($0). Restart the app." })
        let errors = await host.prepare().failureLines.map { $0.dropFirst("A failed at prepare: ".count) }
        #expect(errors == ["no disk. Restart the app.", "no key. Restart the app."])
    }

    @Test("A builder counts towards its module's time limit, and blocks no other module")
    func timeLimit() async throws {
        let end = DispatchSemaphore(value: 0), clock = HandClock()
        let (unblocked, hasEnded) = AsyncStream<Never>.makeStream()
        let host = try ModuleHost(
            [
                module("Slow") { $0.register(Service.self, scope: .once) { block(until: end) } },
                module("B") { $0.register(Int.self, scope: .once) { 1 } },
            ], center: center, timeLimit: .seconds(3), clock: clock,
            observers: [
                { phase, module in
                    { _ in if (phase, module) == ("prepare", "B") { hasEnded.finish() } }
                }
            ])
        async let preparing = host.prepare()
        await clock.untilAsleep(2)
        for await _ in unblocked {}
        clock.advance(by: .seconds(3))
        #expect(await preparing.entries.map(\.outcome) == [.timedOut(.seconds(3)), .succeeded])
        #expect(!center.isRegisteredApi(api: Service.self))
        end.signal()
    }

    @Test("A module whose builder has exceeded the time limit does not prepare when the builder returns")
    func tooLate() async throws {
        final class Token: Sendable {
            let freed: AsyncStream<Never>.Continuation
            init(_ freed: AsyncStream<Never>.Continuation) { self.freed = freed }
            deinit { freed.finish() }
        }
        let end = DispatchSemaphore(value: 0), clock = HandClock()
        let (over, freed) = AsyncStream<Never>.makeStream()
        let (building, hasBegun) = AsyncStream<Never>.makeStream()
        do {
            let token = Token(freed)
            let host = try ModuleHost(
                [
                    module("Slow", onPrepare: { _ in withExtendedLifetime(token) {} }) {
                        $0.register(Service.self, scope: .once) {
                            hasBegun.finish()
                            return block(until: end)
                        }
                    }
                ], center: center, timeLimit: .seconds(3), clock: clock)
            async let report = host.prepare()
            await clock.untilAsleep()
            for await _ in building {}
            clock.advance(by: .seconds(3))
            #expect(await report.entries.map(\.outcome) == [.timedOut(.seconds(3))])
        }
        end.signal()
        // The host's work, which holds the module, has ended.
        for await _ in over {}
        #expect(journal.all == ["Slow register"])
    }
}

@MainActor private final class Screen: Sendable {}

/// Builds a service when the test allows it. Blocks the thread, as a builder does that calls a synchronous function of
/// the system.
private func block(until end: DispatchSemaphore) -> BuildingTests.Service {
    end.wait()
    return BuildingTests.Service()
}
