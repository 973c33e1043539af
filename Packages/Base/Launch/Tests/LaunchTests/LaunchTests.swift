import ApiCenter
import Dispatch
import Launch
import Lifecycle
import TestSupport
import Testing

@Suite("Launching an app", .timeLimit(.minutes(10)), .waitLimit)
struct LaunchTests {
    let journal = Journal()

    @Test("The initialiser registers the modules, and the launch prepares them and sends `launch`, once")
    func once() async throws {
        let center = ApiCenter()
        let module = TestModule(name: "A", journal: journal, onRegister: { $0.register(Int.self) { 7 } })
        let app = try makeApp([module], center: center)
        #expect(center.api(type: Int.self) == 7)
        #expect(journal.all == [])
        async let first = app.launch()
        async let second = app.launch()
        #expect(await first.launch == second.launch)
        #expect(journal.all == ["A prepare", "A launch"])
    }

    @Test("An app that posts or sends `launch` itself launches once, and gets the report of this launch")
    func launchEvent() async throws {
        let app = Shared<ModularApp?>(nil)
        let module = TestModule(
            name: "A", journal: journal,
            onEvent: { event in
                guard event == .active else { return }
                #expect(await app.value?.send(.launch).entries == [])
            })
        app.update { $0 = try? makeApp([module]) }
        let posted = await app.value?.post(.launch).report
        #expect(posted?.entries.map(\.module) == ["A"])
        #expect(await app.value?.send(.launch) == posted)
        #expect(await app.value?.launch().launch == posted)
        await app.value?.send(.active)
        #expect(journal.all == ["A prepare", "A launch", "A active"])
        app.update { $0 = nil }
    }

    @Test("Events that are posted before the launch are delivered after `launch`, in order")
    func early() async throws {
        let app = try makeApp([TestModule(name: "A", journal: journal)])
        app.post(.active)
        app.post(.background)
        let last = app.post(.memoryWarning)
        let report = await app.launch()
        for line in report.failureLines { print(line) }
        #expect(report.failureLines == [])
        _ = await last.report
        #expect(journal.all == ["A prepare", "A launch", "A active", "A background", "A memoryWarning"])
    }

    @Test("The app's own step runs between the preparation and `launch`, when the links are installed")
    func beforeLaunch() async throws {
        let (journal, router) = (journal, TestRouter())
        let module = TestModule(name: "A", journal: journal, routes: ["a"])
        let app = try makeApp([module], router: router) { center in
            let isInstalled = router.has("a")
            journal.note("before launch, \(isInstalled)")
        }
        await app.launch()
        #expect(journal.all == ["A prepare", "before launch, true", "A launch"])
    }

    @Test("If the app's own step fails, the report says so, and the launch continues")
    func failedStep() async throws {
        let app = try makeApp([TestModule(name: "A", journal: journal)]) { _ in
            throw Failure(description: "no server")
        }
        let report = await app.launch()
        #expect(report.failureLines == ["The app failed at beforeLaunch: no server"])
        #expect(journal.all == ["A prepare", "A launch"])
    }

    /// What the app's own step or a service waits for, although it is waited for.
    enum Wait: CaseIterable {
        case launch, report, link

        func wait(in app: ModularApp?) async throws {
            switch self {
            case .launch: _ = await app?.launch()
            case .report: _ = await app?.post(.memoryWarning).report
            case .link: _ = try await app?.open("a").value
            }
        }
    }

    @Test(
        "If the app's own step waits for what waits for the step, its time limit ends the wait, and the launch continues",
        arguments: Wait.allCases)
    func stuckStep(wait: Wait) async throws {
        let (app, clock) = (Shared<ModularApp?>(nil), HandClock())
        let module = TestModule(name: "A", journal: journal, routes: ["a"])
        app.update {
            $0 = try? ModularApp([module], links: TestRouter().links, clock: clock, observers: []) { _ in
                try await wait.wait(in: app.value)
            }
        }
        async let report = app.value?.launch()
        // The limits of the module's preparation, of its links and of the step.
        await clock.untilAsleep(3)
        clock.advance(by: .seconds(10))
        #expect(
            await report?.failureLines == [
                "The app was still handling beforeLaunch after 10.0 seconds, and the app continued without waiting"
            ])
        #expect(journal.all.prefix(2) == ["A prepare", "A launch"])
        app.update { $0 = nil }
    }

    @Test("A module whose links take too long is left out, and installs none when they are there at last")
    func stuckLinks() async throws {
        let (clock, router, isReturning, isEnd) = (
            HandClock(), TestRouter(), Gate(), DispatchSemaphore(value: 0)
        )
        let stuck = TestModule(
            name: "A", journal: journal, routes: ["a"],
            onLinks: {
                // The limit of this test ends a wait that its last lines do not.
                _ = isEnd.wait(timeout: .now() + 60)
                isReturning.open()
            },
            onRegister: { $0.register(Int.self) { 7 } })
        let other = TestModule(name: "B", journal: journal, routes: ["b"])
        let app = try ModularApp([stuck, other], links: router.links, clock: clock, observers: [])
        async let launching = app.launch()
        // The limits of two preparations, and of the links.
        await clock.untilAsleep(3)
        clock.advance(by: .seconds(10))
        let report = await launching
        #expect(
            report.failureLines == [
                "A was still handling links after 10.0 seconds, and the app continued without waiting"
            ])
        #expect(router.has("b"))
        #expect(app.center.api(type: Int.self) == nil)
        isEnd.signal()
        await isReturning.passed()
        #expect(report.launch.entries.map(\.outcome) == [.skipped, .succeeded])
        await app.send(.active)
        #expect(!router.has("a"))
    }

    @Test("By default, a module has 10 seconds for an event, and all modules together have 30 seconds")
    func defaultLimits() async throws {
        let clock = HandClock()
        let modules = ["A", "B", "C", "D"].map { name in
            let never = Gate()
            return TestModule(
                name: name, journal: journal, onEvent: { if $0 == .active { await never.passed() } })
        }
        let app = try ModularApp(modules, clock: clock, observers: [])
        await app.launch()
        let active = app.post(.active)
        // The limits of four preparations, and of four modules in `launch`.
        await clock.untilAsleep(8)
        for _ in 0..<3 {
            await clock.untilAsleep()
            clock.advance(by: .seconds(10))
        }
        let late = LifecycleReport.Outcome.timedOut(.seconds(10))
        #expect(await active.report.entries.map(\.outcome) == [late, late, late, .skipped])
        #expect(clock.sleeperCount == 0)
    }

    @Test("Cancelling a task that waits for `launch` does not cancel the launch")
    func cancelledWait() async throws {
        let (handling, gate) = (Gate(), Gate())
        let module = TestModule(
            name: "A", journal: journal,
            onEvent: { _ in
                handling.open()
                await gate.passed()
                try Task.checkCancellation()
            })
        let app = try makeApp([module])
        let sender = Task { await app.send(.launch) }
        await handling.passed()
        sender.cancel()
        gate.open()
        #expect(await app.launch().failureLines == [])
        _ = await sender.value
    }

    @Test(
        "An event that a module sends while it prepares, or that the app's own step sends, is delivered after `launch`"
    )
    func sentEarly() async throws {
        let (journal, app) = (journal, Shared<ModularApp?>(nil))
        let module = TestModule(
            name: "A", journal: journal,
            onPrepare: {
                let report = await app.value?.send(.custom("first"))
                #expect(report?.entries == [])
            })
        app.update {
            $0 = try? makeApp([module]) { _ in
                let report = await app.value?.send(.custom("second"))
                #expect(report?.entries == [])
            }
        }
        let report = await app.value?.launch()
        #expect(report?.failureLines == [])
        await app.value?.send(.active)
        #expect(journal.all == ["A prepare", "A launch", "A first", "A second", "A active"])
        app.update { $0 = nil }
    }

    @Test("A report has one line for each module, about its first failure")
    func failures() async throws {
        let app = try makeApp([
            TestModule(name: "A", journal: journal, onPrepare: { throw Failure(description: "no disk") }),
            TestModule(name: "B", journal: journal, onEvent: { _ in throw Failure(description: "no mood") }),
        ])
        let report = await app.launch()
        #expect(report.failureLines == ["A failed at prepare: no disk", "B failed at launch: no mood"])
        #expect(report.failure(of: "B") == "B failed at launch: no mood")
        #expect(report.failure(of: "C") == nil)
    }

    @Test("An app is freed when its last reference is dropped")
    func freed() async throws {
        final class Token: Sendable {
            let isFreed: Gate
            init(_ isFreed: Gate) { self.isFreed = isFreed }
            deinit { isFreed.open() }
        }
        let (isFreed, journal) = (Gate(), journal)
        func launch() async throws {
            let token = Token(isFreed)
            // The center owns the builder, which owns the token.
            let module = TestModule(
                name: "A", journal: journal, routes: ["a"],
                onRegister: { $0.register(Token.self) { token } })
            let app = try makeApp([module], router: TestRouter())
            await app.launch()
            _ = try await app.open("a").value
            await app.send(.terminate)
        }
        try await launch()
        // The last task of the app may hold it a moment longer than this call.
        await isFreed.passed()
    }
}
