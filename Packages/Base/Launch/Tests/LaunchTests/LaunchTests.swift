import ApiCenter
import Launch
import Lifecycle
import TestSupport
import Testing

@Suite("Launching an app", .timeLimit(.minutes(1)))
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
        #expect(report.failureLines == ["The step before the launch failed: no server"])
        #expect(journal.all == ["A prepare", "A launch"])
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
        weak var center: ApiCenter?
        func launch() async throws {
            let app = try makeApp(
                [TestModule(name: "A", journal: journal, routes: ["a"])], router: TestRouter())
            center = app.center
            await app.launch()
            _ = try await app.open("a").value
            await app.send(.terminate)
            #expect(center != nil)
        }
        try await launch()
        #expect(center == nil)
    }
}
