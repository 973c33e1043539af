import Providers
import Testing

@Suite("Fail-over")
struct FirstSuccessTests {
    let providers = Providers<WorkerProtocol>()
    let calls = Shared<[String]>([])

    /// Works, and notes that it was called.
    private func work(_ provider: WorkerProtocol) throws(WorkError) -> String {
        calls.update { $0.append(provider.name) }
        return try provider.work()
    }

    private func workLong(_ provider: WorkerProtocol) async throws(WorkError) -> String {
        calls.update { $0.append(provider.name) }
        return try await provider.workLong()
    }

    @Test("goes on to the next on an error, highest priority first, and ends at the first success")
    func nextOnError() throws {
        providers.add(Worker(name: "C"))
        providers.add(Worker(name: "D"))
        providers.add(Worker.failing("B"))
        providers.add(Worker.failing("A"), priority: 1)
        #expect(try providers.firstSuccess { try work($0) } == "C")
        #expect(calls.value == ["A", "C"])
    }

    @Test("does the same with calls that wait")
    func nextOnErrorAsync() async throws {
        providers.add(Worker.failing("B"))
        providers.add(Worker.failing("A"), priority: 1)
        providers.add(Worker(name: "C"))
        providers.add(Worker(name: "D"))
        #expect(try await providers.firstSuccess { try await workLong($0) } == "C")
        #expect(calls.value == ["A", "B", "C"])
    }

    @Test("throws every error, in the order of the calls, when all fail")
    func allFail() async throws {
        providers.add(Worker.failing("B"), tags: ["spare"])
        providers.add(Worker.failing("A"), priority: 1)
        let error = #expect(throws: ProvidersError<WorkError>.self) {
            try providers.firstSuccess { provider throws(WorkError) in try work(provider) }
        }
        let thrown = try #require(error)
        #expect(thrown.code == .allFailed)
        #expect(thrown.failures.map(\.error.description) == ["A is broken", "B is broken"])
        #expect(thrown.failures.map(\.provider.tags) == [[], ["spare"]])
        let text = thrown.description
        #expect(thrown.site.contains(/^ProvidersTests\/FirstSuccessTests\.swift:\d+$/))
        #expect(text.hasPrefix("\(thrown.site): every provider of ProvidersTests.WorkerProtocol failed: 1. "))
        #expect(text.contains("2. ProvidersTests.Worker [spare], priority 0, added at ProvidersTests/First"))
        #expect(text.contains("A fail-over ends when no provider is left"))
        #expect(text.contains("add a provider of lower priority that always works"))

        let asyncError = await #expect(throws: ProvidersError<WorkError>.self) {
            try await providers.firstSuccess { provider async throws(WorkError) in
                try await workLong(provider)
            }
        }
        #expect(asyncError?.code == .allFailed)
        #expect(asyncError?.failures.map(\.error) == thrown.failures.map(\.error))
    }

    @Test("throws when there is no provider, or none that fits, and tells these apart")
    func noProvider() async throws {
        let none = #expect(throws: ProvidersError<any Error>.self) {
            try providers.firstSuccess { try $0.work() }
        }
        #expect(none?.code == .noProvider)
        #expect(none?.failures.isEmpty == true)
        #expect(none?.description.contains("there is no provider of ProvidersTests.WorkerProtocol") == true)
        #expect(none?.description.contains("add(_:tags:priority:)") == true)

        providers.add(Worker(name: "A"))
        providers.setCondition(.tagged { "slow" })
        let unfit = await #expect(throws: ProvidersError<any Error>.self) {
            try await providers.firstSuccess { try await $0.workLong() }
        }
        #expect(unfit?.code == .noProvider)
        #expect(unfit?.description.contains("none of the 1 providers of ") == true)
        #expect(unfit?.description.contains("widen the condition") == true)
    }

    @Test("calls only those that fit the injected condition and the caller's")
    func conditions() throws {
        providers.setCondition(.tagged { "online" })
        providers.add(Worker(name: "A"), priority: 3)
        providers.add(Worker(name: "B"), tags: ["online"], priority: 2)
        providers.add(Worker.failing("C"), tags: ["online", "safe"], priority: 1)
        providers.add(Worker(name: "D"), tags: ["online", "safe"])
        #expect(try providers.firstSuccess { try work($0) } == "B")
        #expect(try providers.firstSuccess(where: { $0.tags.contains("safe") }) { try work($0) } == "D")
        #expect(calls.value == ["B", "C", "D"])
    }

    @Test("does not go on to the next in a cancelled task")
    func cancelled() async throws {
        providers.add(Worker.failing("A"))
        providers.add(Worker(name: "B"))
        let (started, hasStarted) = AsyncStream<Void>.makeStream()
        let (never, _) = AsyncStream<Never>.makeStream()
        let task = Task { [providers, calls] in
            try await providers.firstSuccess { provider in
                calls.update { $0.append(provider.name) }
                hasStarted.yield()
                // Ends when the task is cancelled.
                for await _ in never {}
                return try await provider.workLong()
            }
        }
        for await _ in started { break }
        task.cancel()
        let error = await #expect(throws: ProvidersError<any Error>.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.failures.count == 1)
        #expect(error?.description.contains("the task was cancelled after 1 of 2 providers of") == true)
        #expect(calls.value == ["A"])
    }

    @Test("calls those that were there when it began, whatever they add and remove meanwhile")
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
