import ApiCenter
import TestSupport
import Testing

@testable import Lifecycle

@Suite("A module host", .waitLimit)
struct ModuleHostTests {
    let center = ApiCenter()
    let journal = Journal()

    private func module(
        _ name: String, after: [String] = [],
        onEvent: @escaping @Sendable (LifecycleEvent) async throws -> Void = { _ in },
        onRegister: @escaping @Sendable (ApiCenter) throws -> Void = { _ in }
    ) -> Recorder {
        Recorder(name: name, after: after, journal: journal, onRegister: onRegister, onEvent: onEvent)
    }

    /// Creates a host with a stopped clock, so that no time limit expires on a slow machine.
    private func makeHost(
        _ modules: [any Module]
    ) throws(LifecycleError) -> ModuleHost {
        try ModuleHost(modules, center: center, clock: StillClock(waitsEnd: false))
    }

    @Test("A host registers all modules before the first event, so the order of registration does not matter")
    func registersFirst() async throws {
        let center = center
        let host = try makeHost(
            [
                module("A") { _ in #expect(center.api(type: Int.self) == 7) },
                module("B", onRegister: { $0.register(Int.self) { 7 } }),
            ])
        #expect(journal.all == ["A register", "B register"])
        await host.send(.launch)
        #expect(journal.all.suffix(2) == ["A launch", "B launch"])
        #expect(Set(journal.all.dropFirst(2).prefix(2)) == ["A prepare", "B prepare"])
    }

    @Test("Modules get events in the listed order, adjusted by `after`, and get `terminate` in reverse order")
    func order() async throws {
        let host = try makeHost(
            [module("A", after: ["C"]), module("B"), module("C", after: ["D"]), module("D")])
        #expect(host.modules.map(\.name) == ["D", "C", "A", "B"])
        #expect(await host.send(.active).entries.map(\.module) == ["D", "C", "A", "B"])
        #expect(await host.send(.terminate).entries.map(\.module) == ["B", "A", "C", "D"])
    }

    @Test(
        "A chain of modules in reverse order may be longer than the stack of a thread allows recursion to be")
    func longChain() throws {
        let count = 50_000
        let modules = (0..<count).map { Recorder(name: "\($0)", after: ["\($0 + 1)"], journal: journal) }
        let order = try ModuleOrder(modules)
        #expect(order.modules.first?.name == "\(count - 1)" && order.modules.last?.name == "0")
        #expect(order.absent.map(\.name) == ["\(count)"])
    }

    @Test("A host delivers lifecycle events and custom events, with their values")
    func events() async throws {
        let host = try makeHost([module("A")])
        let events: [LifecycleEvent] = [
            .launch, .active, .background, .openURL("app://x"), .memoryWarning,
            .custom("login"), .custom("city", payload: ["name": "Chengdu", "code": "028"]), .terminate,
        ]
        for event in events { #expect(await host.send(event).phase == event.description) }
        #expect(
            journal.all == [
                "A register", "A prepare", "A launch", "A active", "A background", "A openURL(app://x)",
                "A memoryWarning",
                "A login", "A city(code: 028, name: Chengdu)", "A terminate",
            ])
    }

    @Test("A host reports a module that throws, and still sends the event to the other modules")
    func failure() async throws {
        let host = try makeHost(
            [
                module("A") { _ in throw Failure(description: "no disk") },
                module("B"),
            ])
        let report = await host.send(.launch)
        #expect(report.entries.map(\.outcome) == [.failed("no disk"), .succeeded])
        #expect(report.failures.map(\.module) == ["A"])
    }

    @Test("A host rolls back a module that fails to register, sends it no events, and registers the rest")
    func failedRegistration() async throws {
        let host = try makeHost(
            [
                module(
                    "A",
                    onRegister: {
                        $0.register(Int.self) { 1 }
                        throw Failure(description: "no key")
                    }),
                module("B"),
            ])
        #expect(!center.isRegisteredApi(api: Int.self))
        #expect(host.registration.phase == "register")
        #expect(host.registration.entries.map(\.outcome) == [.failed("no key"), .succeeded])
        #expect(await host.send(.launch).entries.map(\.outcome) == [.skipped, .succeeded])
        #expect(journal.all == ["A register", "B register", "B prepare", "B launch"])
    }

    @Test("A host cancels a module that exceeds the time limit, and continues with the next module")
    func timeLimit() async throws {
        let (cancelled, isCancelled) = AsyncStream<Void>.makeStream()
        let clock = HandClock()
        let slow = module("Slow") { _ in
            defer { isCancelled.yield() }
            try await untilCancelled()
        }
        let host = try ModuleHost([slow], center: center, timeLimit: .seconds(3), clock: clock)
        await clock.passPreparation(of: host)
        async let sending = host.send(.launch)
        await clock.untilAsleep()
        clock.advance(by: .seconds(3))
        let report = await sending
        #expect(report.entries.map(\.outcome) == [.timedOut(.seconds(3))])
        #expect(
            report.failureLines.first?.hasPrefix("Slow was still handling launch after 3.0 seconds, and")
                == true)
        for await _ in cancelled { break }
    }

    @Test("A host waits for a module until the time limit expires, and no longer")
    func withinTheLimit() async throws {
        let clock = HandClock()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let host = try ModuleHost(
            [module("A") { _ in for await _ in gate { break } }], center: center, timeLimit: .seconds(10),
            clock: clock)
        await clock.passPreparation(of: host)
        async let inTime = host.send(.launch)
        await clock.untilAsleep()
        clock.advance(by: .seconds(9.999))
        #expect(clock.sleeperCount == 1)
        open.yield()
        #expect(await inTime.entries == [.init(module: "A", duration: .seconds(9.999), outcome: .succeeded)])
        clock.advance(by: .seconds(10))

        async let tooLate = host.send(.active)
        await clock.untilAsleep()
        clock.advance(by: .seconds(10))
        #expect(await tooLate.entries.map(\.outcome) == [.timedOut(.seconds(10))])
    }

    @Test("A host calls no more modules once the event's time limit has expired")
    func eventLimit() async throws {
        let clock = HandClock()
        let slow: @Sendable (LifecycleEvent) async throws -> Void = { _ in try await untilCancelled() }
        let host = try ModuleHost(
            ["A", "B", "C", "D"].map { module($0, onEvent: slow) }, center: center,
            timeLimit: .seconds(10), eventLimit: .seconds(25), clock: clock)
        await clock.passPreparation(of: host)
        async let sending = host.send(.terminate)
        for limit in [10, 10, 5] {
            await clock.untilAsleep()
            clock.advance(by: .seconds(limit))
        }
        let report = await sending
        #expect(report.entries.map(\.module) == ["D", "C", "B", "A"])
        #expect(
            report.entries.map(\.outcome) == [
                .timedOut(.seconds(10)), .timedOut(.seconds(10)), .timedOut(.seconds(5)), .skipped,
            ])
        #expect(!journal.all.contains("A terminate"))
    }

    @Test("Cancelling the sender of an event cancels the module that is handling it")
    func cancelledSender() async throws {
        let (started, hasStarted) = AsyncStream<Void>.makeStream()
        let host = try makeHost(
            [
                module("A") { _ in
                    hasStarted.yield()
                    try await untilCancelled()
                },
                module("B"),
            ])
        let sending = Task { await host.send(.launch) }
        for await _ in started { break }
        sending.cancel()
        let outcomes = await sending.value.entries.map(\.outcome)
        #expect(outcomes == [.failed("CancellationError()"), .succeeded])
    }

    @Test("A host delivers concurrently sent events one after the other")
    func oneAtATime() async throws {
        let journal = journal
        let host = try makeHost(
            [
                module("A") { event in
                    for _ in 0..<20 { await Task.yield() }
                    journal.note("A done \(event)")
                },
                module("B"),
            ])
        await withTaskGroup { group in
            for index in 0..<20 { group.addTask { await host.send(.custom("\(index)")) } }
        }
        let lines = journal.all.dropFirst(4).map { $0.split(separator: " ").map(String.init) }
        #expect(lines.count == 60)
        for index in stride(from: 0, to: 60, by: 3) {
            let event = lines[index][1]
            #expect(lines[index] == ["A", event])
            #expect(lines[index + 1] == ["A", "done", event])
            #expect(lines[index + 2] == ["B", event])
        }
    }

    @Test("A host immediately delivers an event that a module sends while handling another event")
    func nested() async throws {
        let (hosts, made) = AsyncStream<ModuleHost>.makeStream()
        let host = try makeHost(
            [
                module("A") { event in
                    guard event == .launch else { return }
                    for await host in hosts {
                        await host.send(.custom("ready"))
                        break
                    }
                },
                module("B"),
            ])
        made.yield(host)
        await host.send(.launch)
        #expect(journal.all.dropFirst(4) == ["A launch", "A ready", "B ready", "B launch"])
    }

    @Test("If a module's task outlives the delivery that started it, the host queues the events of the task")
    func lateTask() async throws {
        let journal = journal
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (hosts, made) = AsyncStream<ModuleHost>.makeStream()
        let (started, hasStarted) = AsyncStream<Void>.makeStream()
        let (tasks, late) = AsyncStream<Task<Void, Never>>.makeStream()
        let host = try makeHost([
            module("A") { event in
                if event == .launch {
                    late.yield(
                        Task {
                            for await host in hosts {
                                await host.send(.custom("late"))
                                break
                            }
                        })
                } else if event == .background {
                    hasStarted.yield()
                    for await _ in gate { break }
                    journal.note("A done background")
                }
            }
        ])
        await host.send(.launch)
        async let background = host.send(.background)
        for await _ in started { break }
        made.yield(host)
        // If the host does not queue the late event, these yields give that event enough time to be delivered first.
        for _ in 0..<1000 { await Task.yield() }
        open.yield()
        _ = await background
        for await task in tasks {
            await task.value
            break
        }
        #expect(journal.all.dropFirst(3) == ["A background", "A done background", "A late"])
    }

    @Test(
        "Deliveries do not accumulate in a chain of events in which each event's task sends the next event"
    )
    func followers() async throws {
        let counts = Journal()
        let (over, isOver) = AsyncStream<Void>.makeStream()
        let (hosts, made) = AsyncStream<ModuleHost>.makeStream()
        let (tasks, started) = AsyncStream<Task<Void, Never>>.makeStream()
        let host = try makeHost([
            module("A") { _ in
                counts.note("\(HostWork.current.count)")
                started.yield(
                    Task {
                        for await _ in over { break }
                        for await host in hosts {
                            await host.send(.custom("next"))
                            break
                        }
                    })
            }
        ])
        await host.send(.launch)
        var followers = tasks.makeAsyncIterator()
        for _ in 0..<10 {
            let task = await followers.next()
            made.yield(host)
            isOver.yield()
            await task?.value
        }
        #expect(counts.all == Array(repeating: "1", count: 11))
        // Ends the last task, which would otherwise wait forever.
        isOver.finish()
        made.finish()
    }

    @Test("A module is named after its type unless it declares another name")
    func names() throws {
        struct RideModule: Module {
            let version = "1.2.0"
            func register(in center: ApiCenter) {}
        }
        #expect(RideModule().name == "Ride")
        #expect(RideModule().after == [])
        #expect(try makeHost([RideModule()]).modules.map(\.version) == ["1.2.0"])
    }

    @Test("A host accepts and reports a name in `after` that matches no module")
    func absent() throws {
        let host = try makeHost([module("A", after: ["Gone", "B"]), module("B")])
        #expect(host.modules.map(\.name) == ["B", "A"])
        #expect(host.absent.map(\.name) == ["Gone"])
        #expect(host.absent.map(\.namedBy) == ["A"])
    }

    @Test("A host rejects modules whose `after` lists form a cycle, and registers none of them")
    func cycle() {
        let modules = [
            module("A", after: ["B"]), module("B", after: ["C"]), module("C", after: ["B"]), module("D"),
        ]
        let error = #expect(throws: LifecycleError.self) { try makeHost(modules) }
        #expect(error == .cycle(["B", "C", "B"]))
        #expect(error?.description.contains("B -> C -> B") == true)
        #expect(journal.all == [])
    }

    @Test("A host rejects two modules with the same name")
    func duplicate() {
        let modules = [module("A"), module("A")]
        let error = #expect(throws: LifecycleError.self) { try makeHost(modules) }
        #expect(error == .duplicate(module: "A"))
        #expect(error?.description.contains("two modules are named A") == true)
        #expect(journal.all == [])
    }
}
