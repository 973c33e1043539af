import Providers
import TestSupport
import Testing

@Suite("Falling back to the next provider with firstSuccess", .waitLimit)
struct FirstSuccessTests {
    let providers = Providers<WorkerProtocol>()
    let calls = Shared<[String]>([])

    /// Calls `work()` and records the provider's name.
    private func work(_ provider: WorkerProtocol) throws(WorkError) -> String {
        calls.update { $0.append(provider.name) }
        return try provider.work()
    }

    private func workLong(_ provider: WorkerProtocol) async throws(WorkError) -> String {
        calls.update { $0.append(provider.name) }
        return try await provider.workLong()
    }

    @Test("firstSuccess tries the providers by priority, and stops at the first success")
    func nextOnError() throws {
        providers.add(Worker(name: "C"))
        providers.add(Worker(name: "D"))
        providers.add(Worker.failing("B"))
        providers.add(Worker.failing("A"), priority: 1)
        #expect(try providers.firstSuccess { try work($0) } == "C")
        #expect(calls.value == ["A", "C"])
    }

    @Test("The async firstSuccess tries the providers by priority, and stops at the first success")
    func nextOnErrorAsync() async throws {
        providers.add(Worker.failing("B"))
        providers.add(Worker.failing("A"), priority: 1)
        providers.add(Worker(name: "C"))
        providers.add(Worker(name: "D"))
        #expect(try await providers.firstSuccess { try await workLong($0) } == "C")
        #expect(calls.value == ["A", "B", "C"])
    }

    @Test(
        "If every provider fails, firstSuccess throws one error that lists all failures in the order of the calls"
    )
    func allFail() async throws {
        providers.add(Worker.failing("B"), tags: ["spare"])
        providers.add(Worker.failing("A"), priority: 1)
        let error = #expect(throws: ProvidersError<WorkError>.self) {
            try providers.firstSuccess { provider throws(WorkError) in try work(provider) }
        }
        let thrown = try #require(error)
        #expect(thrown.failures.map(\.error.description) == ["A is broken", "B is broken"])
        #expect(thrown.failures.map(\.provider.tags) == [[], ["spare"]])
        let text = thrown.description
        #expect(thrown.site.contains(/^ProvidersTests\/FirstSuccessTests\.swift:\d+$/))
        #expect(text.hasPrefix("\(thrown.site): providers of ProvidersTests.WorkerProtocol failed: 1. "))
        #expect(text.contains("2. ProvidersTests.Worker [spare], priority 0, added at ProvidersTests/First"))
        #expect(text.contains("add a provider of lower priority that always works"))

        let asyncError = await #expect(throws: ProvidersError<WorkError>.self) {
            try await providers.firstSuccess { provider async throws(WorkError) in
                try await workLong(provider)
            }
        }
        #expect(asyncError?.failures.map(\.error) == thrown.failures.map(\.error))
    }

    @Test("firstSuccess throws an error that lists no failures if the set is empty or no provider matches")
    func noProvider() async throws {
        let none = #expect(throws: ProvidersError<any Error>.self) {
            try providers.firstSuccess { try $0.work() }
        }
        #expect(none?.failures.isEmpty == true)
        #expect(none?.description.contains("no provider of ProvidersTests.WorkerProtocol matches") == true)
        #expect(none?.description.contains("add(_:tags:priority:)") == true)

        let slow = Providers<WorkerProtocol>(tag: { "slow" })
        slow.add(Worker(name: "A"))
        let unfit = await #expect(throws: ProvidersError<any Error>.self) {
            try await slow.firstSuccess { try await $0.workLong() }
        }
        #expect(unfit?.failures.isEmpty == true)
    }

    @Test("firstSuccess calls only providers that satisfy the injected condition")
    func condition() throws {
        let providers = Providers<WorkerProtocol>(tag: { "online" })
        providers.add(Worker(name: "A"), priority: 3)
        providers.add(Worker.failing("B"), tags: ["online"], priority: 2)
        providers.add(Worker(name: "C"), tags: ["online"])
        #expect(try providers.firstSuccess { try work($0) } == "C")
        #expect(calls.value == ["B", "C"])
    }

    @Test("firstSuccess does not try the next provider in a cancelled task")
    func cancelled() async throws {
        providers.add(Worker.failing("A"))
        providers.add(Worker(name: "B"))
        let (started, hasStarted) = AsyncStream<Void>.makeStream()
        let (never, _) = AsyncStream<Never>.makeStream()
        let task = Task { [providers, calls] in
            try await providers.firstSuccess { provider in
                calls.update { $0.append(provider.name) }
                hasStarted.yield()
                // The loop ends when the task is cancelled.
                for await _ in never {}
                return try await provider.workLong()
            }
        }
        for await _ in started { break }
        task.cancel()
        let error = await #expect(throws: ProvidersError<any Error>.self) { try await task.value }
        #expect(error?.failures.count == 1)
        #expect(calls.value == ["A"])
    }

    @Test(
        "firstSuccess tries the providers that are in the set when it begins, even if a call changes the set")
    func reentrancy() throws {
        let spare = providers.add(Worker(name: "B"))
        providers.add(
            Worker(name: "A") { [providers] () throws(WorkError) in
                providers.remove(spare)
                providers.add(Worker(name: "C"), priority: 9)
                throw WorkError(description: "gone")
            }, priority: 1)
        #expect(try providers.firstSuccess { try work($0) } == "B")
        #expect(providers.pick()?.name == "C")
    }
}
