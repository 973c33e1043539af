import Launch
import Lifecycle
import TestSupport
import Testing

@Suite("The services of an app", .timeLimit(.minutes(10)), .waitLimit)
struct ServiceTests {
    let journal = Journal()

    private var service: EventService {
        EventService(
            "Storage", active: { [journal] in journal.note("resume") },
            background: { [journal] in journal.note("suspend") },
            memoryWarning: { [journal] in journal.note("empty") })
    }

    @Test(
        "A service hears of `active` and `memoryWarning` before the modules, and of `background` after them")
    func order() async throws {
        let app = try makeApp([TestModule(name: "A", journal: journal)], services: [service])
        for event in [LifecycleEvent.background, .active, .memoryWarning] { await app.send(event) }
        #expect(
            journal.all.dropFirst(2) == [
                "A background", "suspend", "resume", "A active", "empty", "A memoryWarning",
            ])
    }

    @Test(
        "If the app becomes active while the modules handle `background`, a service does not hear of `background`"
    )
    func activeAgain() async throws {
        let (handling, gate) = (Gate(), Gate())
        let module = TestModule(
            name: "A", journal: journal,
            onEvent: { event in
                guard event == .background else { return }
                handling.open()
                await gate.passed()
            })
        let app = try makeApp([module], services: [service])
        app.post(.background)
        await handling.passed()
        let active = app.post(.active)
        gate.open()
        _ = await active.report
        #expect(journal.all.dropFirst(2) == ["A background", "resume", "A active"])
    }

    @Test(
        "An event that a module sends while it handles another one is delivered immediately, to the services too"
    )
    func nested() async throws {
        let app = Shared<ModularApp?>(nil)
        let module = TestModule(
            name: "A", journal: journal,
            onEvent: { event in
                if event == .background { await app.value?.send(.active) }
            })
        app.update { $0 = try? makeApp([module], services: [service]) }
        await app.value?.send(.background)
        #expect(journal.all.dropFirst(2) == ["resume", "A active", "A background"])
        app.update { $0 = nil }
    }

    @Test("If a service waits for an event that waits for the service, its time limit ends the wait")
    func stuck() async throws {
        let (app, clock) = (Shared<ModularApp?>(nil), HandClock())
        let service = EventService(
            "Storage", active: { _ = await app.value?.post(.memoryWarning).report })
        app.update {
            $0 = try? ModularApp(
                [TestModule(name: "A", journal: journal)], services: [service], clock: clock, observers: [])
        }
        async let report = app.value?.send(.active)
        // The limits of the module's preparation, of `launch`, and of the service.
        await clock.untilAsleep(3)
        clock.advance(by: .seconds(10))
        #expect(
            await report?.failureLines == [
                "Storage was still handling active after 10.0 seconds, and the app continued without waiting"
            ])
        #expect(journal.all.prefix(3) == ["A prepare", "A launch", "A active"])
        app.update { $0 = nil }
    }

    @Test("A service that fails is a warning of the event's report, and the modules still get the event")
    func failure() async throws {
        let service = EventService("Storage", active: { throw Failure(description: "in use") })
        let app = try makeApp([TestModule(name: "A", journal: journal)], services: [service])
        #expect(await app.send(.active).failureLines == ["Storage failed at active: in use"])
        #expect(journal.all.last == "A active")
    }
}
