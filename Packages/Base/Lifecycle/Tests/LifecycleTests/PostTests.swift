import ApiCenter
import TestSupport
import Testing

@testable import Lifecycle

@Suite("Posted events", .timeLimit(.minutes(10)), .waitLimit)
struct PostTests {
    let journal = Journal()

    private func makeHost(
        onPrepare: @escaping @Sendable () async throws -> Void = {},
        onEvent: @escaping @Sendable (LifecycleEvent) async throws -> Void = { _ in },
        wrapper: @escaping ModuleHost.EventWrapper = { _, _, deliver in await deliver() }
    ) throws -> ModuleHost {
        let module = Recorder(
            name: "A", journal: journal, onPrepare: { _ in try await onPrepare() }, onEvent: onEvent)
        return try ModuleHost(
            [module], center: ApiCenter(), clock: StillClock(waitsEnd: false), wrapper: wrapper)
    }

    @Test("Events posted while a module prepares are delivered in order", arguments: 0..<20)
    func whilePreparing(_: Int) async throws {
        let (gate, open) = AsyncStream<Never>.makeStream()
        let host = try makeHost(onPrepare: { for await _ in gate {} })
        host.post(.launch)
        host.post(.openURL("app://x"))
        let last = host.post(.active)
        open.finish()
        _ = await last.report
        #expect(journal.all == ["A register", "A prepare", "A launch", "A openURL(app://x)", "A active"])
    }

    @Test("300 posted events are delivered in the order in which they were posted")
    func many() async throws {
        let host = try makeHost()
        await host.prepare()
        let deliveries = (0..<300).map { host.post(.custom("\($0)")) }
        for delivery in deliveries { #expect(await delivery.report.failures.isEmpty) }
        #expect(journal.all.dropFirst(2).elementsEqual((0..<300).map { "A \($0)" }))
    }

    @Test("An event that a module posts while it handles another one is delivered after that one")
    func nested() async throws {
        let (hosts, made) = AsyncStream<ModuleHost>.makeStream()
        let journal = journal
        let host = try makeHost(onEvent: { event in
            guard event == .launch else { return }
            for await host in hosts {
                host.post(.custom("next"))
                break
            }
            journal.note("A launched")
        })
        made.yield(host)
        host.post(.launch)
        #expect(await host.send(.active).failures.isEmpty)
        #expect(journal.all.dropFirst(2).prefix(2) == ["A launch", "A launched"])
        #expect(await host.send(.terminate).failures.isEmpty)
        #expect(Set(journal.all.dropFirst(4)) == ["A next", "A active", "A terminate"])
    }

    @Test("Cancelling a delivery cancels the module that handles the event")
    func cancelled() async throws {
        let (started, hasStarted) = AsyncStream<Never>.makeStream()
        let host = try makeHost(onEvent: { _ in
            hasStarted.finish()
            try await untilCancelled()
        })
        let delivery = host.post(.background)
        for await _ in started {}
        delivery.cancel()
        #expect(await delivery.report.entries.map(\.outcome) == [.failed("CancellationError()")])
    }

    @Test("A wrapper is called with each event when its turn has come, and can add to the report")
    func wrapper() async throws {
        let journal = journal
        let host = try makeHost(wrapper: { event, _, deliver in
            journal.note("before \(event)")
            var report = await deliver()
            journal.note("after \(event)")
            report.warnings.append("told")
            return report
        })
        #expect(await host.send(.launch).warnings == ["told"])
        #expect(journal.all.dropFirst(2) == ["before launch", "A launch", "after launch"])
        #expect(host.part == nil)
    }

    @Test("A step of the app has the time limit of a module, and the observers hear of it")
    func step() async throws {
        let (heard, clock) = (Journal(), HandClock())
        let host = try ModuleHost(
            [], center: ApiCenter(), clock: clock,
            observers: [{ phase, step in { heard.note("\(step) \(phase): \($0)") } }])
        async let stuck = host.run("Storage", in: "active") { try await untilCancelled() }
        await clock.untilAsleep()
        clock.advance(by: .seconds(10))
        #expect(await stuck.outcome == .timedOut(.seconds(10)))
        let failed = await host.run("Storage", in: "active") { throw Failure(description: "in use") }
        #expect(failed.failure(in: "active") == "Storage failed at active: in use")
        #expect(
            heard.all == [
                "Storage active: timedOut(10.0 seconds)", #"Storage active: failed("in use")"#,
            ])
    }

    @Test("An event that a step of the app sends before the first event is only posted")
    func sentByStep() async throws {
        let host = try makeHost()
        await host.prepare()
        let journal = journal
        _ = await host.run("The app", in: "settings") {
            #expect(await host.send(.active).entries == [])
            journal.note("sent")
        }
        await host.send(.background)
        #expect(journal.all.filter { $0 != "sent" }.suffix(2) == ["A active", "A background"])
    }

    @Test("An observer hears of each module's part in each phase, and of its outcome")
    func observer() async throws {
        let heard = Journal()
        let failing = Recorder(
            name: "B", after: ["A"], journal: journal,
            onPrepare: { _ in throw Failure(description: "no disk") })
        let host = try ModuleHost(
            [Recorder(name: "A", journal: journal), failing], center: ApiCenter(),
            clock: StillClock(waitsEnd: false),
            observers: [
                { phase, module in
                    heard.note("\(module) \(phase)")
                    return { heard.note("\(module) \(phase): \($0)") }
                }
            ])
        await host.send(.active)
        #expect(
            heard.all == [
                "A register", "A register: succeeded", "B register", "B register: succeeded",
                "A prepare", "A prepare: succeeded", "B prepare", #"B prepare: failed("no disk")"#,
                "A active", "A active: succeeded",
            ])
    }
}
