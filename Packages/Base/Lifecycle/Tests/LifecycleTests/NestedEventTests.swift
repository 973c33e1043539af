import ApiCenter
import TestSupport
import Testing

@testable import Lifecycle

@Suite("Events that a module sends while it handles another one", .timeLimit(.minutes(10)), .waitLimit)
struct NestedEventTests {
    private let journal = Journal()
    private let host = Shared<ModuleHost?>(nil)

    private func module(
        _ name: String, onEvent: @escaping @Sendable (LifecycleEvent) async throws -> Void = { _ in }
    ) -> Recorder {
        Recorder(name: name, journal: journal, onEvent: onEvent)
    }

    /// What happened after the preparation of `count` modules.
    private func events(of count: Int) -> [String] { Array(journal.all.dropFirst(2 * count)) }

    @Test("They end with the time of the module that sent them, and the remaining modules do not get them")
    func timeLimit() async throws {
        let (clock, reports) = (HandClock(), AsyncStream<LifecycleReport>.makeStream())
        let made = try ModuleHost(
            [
                module("A") { [host] event in
                    guard event == .launch, let host = host.value else { return }
                    reports.continuation.yield(await host.send(.custom("ready")))
                },
                module("B") { if $0 == .custom("ready") { try await untilCancelled() } },
                module("C"),
            ], center: ApiCenter(), timeLimit: .seconds(10), clock: clock)
        host.update { $0 = made }
        await clock.passPreparation(of: made)
        async let launch = made.send(.launch)
        // The limits of A's part in `launch`, of its part in `ready`, which has ended, and of B's.
        await clock.untilAsleep(3)
        clock.advance(by: .seconds(10))
        var nested = reports.stream.makeAsyncIterator()
        let outcomes = await nested.next()?.entries.map(\.outcome)
        #expect(outcomes?.first == .succeeded)
        #expect(outcomes?.last == .skipped)
        #expect(await launch.entries.map(\.outcome) == [.timedOut(.seconds(10)), .succeeded, .succeeded])
        #expect(!journal.all.contains("C ready"))
        host.update { $0 = nil }
    }

    @Test("A module that has exceeded its time limit sends an event to all modules, as the app does")
    func afterTheLimit() async throws {
        let (clock, goOn) = (HandClock(), AsyncStream<Never>.makeStream())
        let reports = AsyncStream<LifecycleReport>.makeStream()
        let made = try ModuleHost(
            [
                module("A") { [host] event in
                    guard event == .launch, let host = host.value else { return }
                    // The cancellation does not end this wait.
                    await Task { for await _ in goOn.stream {} }.value
                    reports.continuation.yield(await host.send(.custom("late")))
                },
                module("B"),
            ], center: ApiCenter(), timeLimit: .seconds(10), clock: clock)
        host.update { $0 = made }
        await clock.passPreparation(of: made)
        async let launch = made.send(.launch)
        await clock.untilAsleep()
        clock.advance(by: .seconds(10))
        #expect(await launch.entries.map(\.outcome) == [.timedOut(.seconds(10)), .succeeded])
        goOn.continuation.finish()
        var late = reports.stream.makeAsyncIterator()
        #expect(await late.next()?.entries.map(\.outcome) == [.succeeded, .succeeded])
        host.update { $0 = nil }
    }

    @Test("A module's part is a part of its host alone, and a task of the module may outlive the part")
    func part() async throws {
        let other = try ModuleHost([], center: ApiCenter())
        let (later, isDelivered) = (
            Shared<Task<ModuleHost.Part?, Never>?>(nil), AsyncStream<Never>.makeStream()
        )
        let made = try ModuleHost(
            [
                module("A") { [host] _ in
                    #expect(host.value?.part == .delivery)
                    #expect(other.part == nil)
                    later.value = Task {
                        for await _ in isDelivered.stream {}
                        return host.value?.part
                    }
                }
            ], center: ApiCenter())
        host.value = made
        await made.send(.launch)
        isDelivered.continuation.finish()
        #expect(await (try #require(later.value)).value == nil)
        host.value = nil
    }

    @Test("The next module waits until they have been delivered, even if the module that sent them does not")
    func unawaited() async throws {
        let (journal, begun) = (journal, AsyncStream<Never>.makeStream())
        let made = try ModuleHost(
            [
                module("A") { [host] event in
                    guard event == .launch, let host = host.value else { return }
                    Task { await host.send(.custom("ready")) }
                    for await _ in begun.stream {}
                },
                module("B") { [host] event in
                    guard event == .custom("ready") else { return }
                    begun.continuation.finish()
                    // If B did not have to wait for this event, it would get `launch` meanwhile.
                    await host.value?.works()
                    journal.note("B is ready")
                },
            ], center: ApiCenter(), clock: StillClock(waitsEnd: false))
        host.update { $0 = made }
        await made.send(.launch)
        #expect(events(of: 2) == ["A launch", "A ready", "B ready", "B is ready", "B launch"])
        host.update { $0 = nil }
    }

    @Test("Several of them are delivered one at a time")
    func oneAtATime() async throws {
        let journal = journal
        let made = try ModuleHost(
            [
                module("A") { [host] event in
                    guard event == .launch, let host = host.value else { return }
                    await withTaskGroup { group in
                        for index in 0..<20 { group.addTask { await host.send(.custom("\(index)")) } }
                    }
                },
                module("B") { event in
                    for _ in 0..<20 { await Task.yield() }
                    journal.note("B ends \(event)")
                },
            ], center: ApiCenter(), clock: StillClock(waitsEnd: false))
        host.update { $0 = made }
        await made.send(.launch)
        let lines = events(of: 2).map { $0.split(separator: " ").map(String.init) }
        #expect(lines.count == 63)
        for index in stride(from: 1, to: 61, by: 3) {
            let event = lines[index][1]
            #expect(lines[index...index + 2] == [["A", event], ["B", event], ["B", "ends", event]])
        }
        host.update { $0 = nil }
    }

    @Test("An event from a task that outlives its module's part is delivered when its turn comes")
    func afterThePart() async throws {
        let (journal, isOver) = (journal, AsyncStream<Never>.makeStream())
        let isSending = AsyncStream<Never>.makeStream()
        let tasks = AsyncStream<Task<Void, Never>>.makeStream()
        let made = try ModuleHost(
            [
                module("A") { [host] event in
                    guard event == .launch, let host = host.value else { return }
                    tasks.continuation.yield(
                        Task {
                            for await _ in isOver.stream {}
                            isSending.continuation.finish()
                            await host.send(.custom("late"))
                        })
                },
                module("B") { [host] event in
                    guard event == .launch else { return }
                    isOver.continuation.finish()
                    for await _ in isSending.stream {}
                    // If the event did not have to wait, B would get it meanwhile.
                    await host.value?.works()
                    journal.note("B is launched")
                },
            ], center: ApiCenter(), clock: StillClock(waitsEnd: false))
        host.update { $0 = made }
        await made.send(.launch)
        var late = tasks.stream.makeAsyncIterator()
        await late.next()?.value
        #expect(events(of: 2) == ["A launch", "B launch", "B is launched", "A late", "B late"])
        host.update { $0 = nil }
    }
}

extension ModuleHost {
    /// Gives the host so much work, one step after the other, that it has ended what it had to do before.
    fileprivate func works() async {
        for _ in 0..<50 { _ = await run("Step", in: "test") {} }
    }
}
