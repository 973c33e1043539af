import ApiCenter
import TestSupport
import Testing

@testable import Lifecycle

@Suite("Preparing modules", .waitLimit)
struct PreparationTests {
    let center = ApiCenter()
    let journal = Journal()

    /// A module that registers `Api` and then does `onPrepare`.
    private func module<Api>(
        _ name: String, _ api: Api.Type = Api.self, after: [String] = [],
        _ imp: @escaping @Sendable () -> Api,
        onPrepare: @escaping @Sendable (ApiCenter) async throws -> Void = { _ in }
    ) -> Recorder {
        Recorder(
            name: name, after: after, journal: journal, onRegister: { $0.register(Api.self) { imp() } },
            onPrepare: onPrepare)
    }

    private func host(
        _ modules: [any Module], clock: StillClock = StillClock(waitsEnd: false)
    ) throws(LifecycleError) -> ModuleHost {
        try ModuleHost(modules, center: center, timeLimit: .seconds(3), clock: clock)
    }

    @Test(
        "All modules register before the first prepares, and all prepare once, in order, before the first event"
    )
    func order() async throws {
        let host = try host([module("A", after: ["B"]) { 1 }, module("B") { "b" }])
        #expect(journal.all == ["B register", "A register"])
        let report = await host.prepare()
        #expect(report.phase == "prepare")
        #expect(report.entries.map(\.outcome) == [.succeeded, .succeeded])
        #expect(await host.prepare() == report)
        await host.send(.launch)
        #expect(
            journal.all == ["B register", "A register", "B prepare", "A prepare", "B launch", "A launch"])
    }

    @Test("Callers that ask at the same time share one preparation, and an event waits for it")
    func once() async throws {
        let host = try host([module("A") { 1 }])
        await withTaskGroup { group in
            for _ in 0..<10 { group.addTask { await host.prepare() } }
            group.addTask { await host.send(.launch) }
        }
        #expect(journal.all == ["A register", "A prepare", "A launch"])
    }

    @Test(
        "A module that fails to prepare is reported, gets no events, and loses its Apis before its dependents prepare"
    )
    func failure() async throws {
        let host = try host([
            module("A", Int.self) {
                1
            } onPrepare: { _ in
                throw Failure(description: "no disk")
            },
            module("B", after: ["A"]) {
                "b"
            } onPrepare: {
                #expect($0.api(type: Int.self) == nil)
            },
        ])
        #expect(center.api(type: Int.self) == 1)
        let report = await host.prepare()
        #expect(report.failureLines == ["A failed at prepare: no disk"])
        #expect(!center.isRegisteredApi(api: Int.self) && center.isRegisteredApi(api: String.self))
        #expect(await host.send(.launch).entries.map(\.outcome) == [.skipped, .succeeded])
        #expect(journal.all.filter { $0.hasPrefix("A") } == ["A register", "A prepare"])
    }

    @Test("A module that exceeds the time limit is left out, and the app does not wait for it")
    func timeLimit() async throws {
        let (cancelled, isCancelled) = AsyncStream<Void>.makeStream()
        let (preparing, hasBegun) = AsyncStream<Never>.makeStream()
        let clock = HandClock()
        let module = module("Slow", Int.self) {
            1
        } onPrepare: { _ in
            hasBegun.finish()
            defer { isCancelled.yield() }
            try await untilCancelled()
        }
        let host = try ModuleHost([module], center: center, timeLimit: .seconds(3), clock: clock)
        async let report = host.prepare()
        await clock.untilAsleep()
        for await _ in preparing {}
        clock.advance(by: .seconds(3))
        #expect(await report.entries.map(\.outcome) == [.timedOut(.seconds(3))])
        #expect(!center.isRegisteredApi(api: Int.self))
        for await _ in cancelled { break }
    }

    @Test("A module that failed to register does not prepare")
    func notRegistered() async throws {
        let broken = Recorder(
            name: "A", journal: journal, onRegister: { _ in throw Failure(description: "no key") })
        let host = try host([broken, module("B") { 1 }])
        #expect(await host.prepare().entries.map(\.outcome) == [.skipped, .succeeded])
        #expect(journal.all == ["A register", "B register", "B prepare"])
    }

    @Test("A dependent prepares although the module that it comes after failed to register")
    func afterUnregistered() async throws {
        let broken = Recorder(
            name: "A", journal: journal, onRegister: { _ in throw Failure(description: "no key") })
        let host = try host([broken, module("B", after: ["A"]) { 1 }])
        #expect(await host.prepare().entries.map(\.outcome) == [.skipped, .succeeded])
    }

    @Test(
        "A caller that looked an Api up too early keeps the IMP that was never prepared; a later one finds none"
    )
    func earlyCaller() async throws {
        final class Store: Sendable {}
        let early = Journal()
        let (looked, hasLooked) = AsyncStream<Never>.makeStream()
        let host = try host([
            module("A") {
                "a"
            } onPrepare: {
                let store = $0.api(type: Store.self)
                early.note(store == nil ? "none" : "unprepared")
                hasLooked.finish()
            },
            module("B") {
                Store()
            } onPrepare: { _ in
                for await _ in looked {}
                throw Failure(description: "no disk")
            },
            module("C", after: ["B"]) {
                1
            } onPrepare: {
                early.note($0.api(type: Store.self) == nil ? "none" : "unprepared")
            },
        ])
        await host.prepare()
        #expect(early.all == ["unprepared", "none"])
    }

    @Test("An event that a module sends while it prepares is delivered when all modules have prepared")
    func eventWhilePreparing() async throws {
        let (hosts, made) = AsyncStream<ModuleHost>.makeStream()
        let host = try host([
            module("A") {
                1
            } onPrepare: { _ in
                for await host in hosts {
                    let report = await host.send(.custom("early"))
                    #expect(report == LifecycleReport(phase: "early", entries: []))
                    break
                }
            },
            module("B", after: ["A"]) { "b" },
        ])
        made.yield(host)
        await host.prepare()
        await host.send(.launch)
        #expect(
            journal.all.dropFirst(2) == [
                "A prepare", "B prepare", "A early", "B early", "A launch", "B launch",
            ])
    }

    @Test("Cancelling the caller does not cancel the preparation")
    func cancelled() async throws {
        let host = try host([
            module("A") {
                1
            } onPrepare: { _ in
                try Task.checkCancellation()
            }
        ])
        let (gate, open) = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in gate {}
            return await host.prepare()
        }
        task.cancel()
        open.finish()
        #expect(await task.value.entries.map(\.outcome) == [.succeeded])
    }
}
