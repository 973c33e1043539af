import Providers
import TestSupport
import Testing

@Suite("Calling all providers", .waitLimit)
struct CallAllTests {
    /// No provider satisfies the condition, which `callAll` ignores.
    let providers = Providers<WorkerProtocol>(tag: { "nobody has this" })

    private func addThree() {
        providers.add(Worker(name: "A"), tags: ["x"])
        providers.add(Worker.failing("B"), priority: 5)
        providers.add(Worker(name: "C"), tags: ["x"], priority: 9)
    }

    @Test(
        "callAll calls providers in the order of addition, regardless of priorities and the injected condition"
    )
    func order() {
        addThree()
        #expect(providers.callAll { $0.name } == ["A", "B", "C"])
    }

    @Test("callAll collects every value and error, and does not stop at a failure")
    func outcomes() throws {
        addThree()
        let outcomes = providers.callAll { provider throws(WorkError) in try provider.work() }
        #expect(
            outcomes.results.map { $0.result } == [
                .success("A"), .failure(WorkError(description: "B is broken")), .success("C"),
            ])
        #expect(
            outcomes.results.map { ObjectIdentifier($0.provider) }
                == providers.all.map { ObjectIdentifier($0.handle) })
        #expect(outcomes.values == ["A", "C"])
        #expect(outcomes.failures.map(\.error) == [WorkError(description: "B is broken")])
        let failed = try #require(outcomes.failures.first)
        providers.remove(failed.provider)
        #expect(providers.callAll { $0.name } == ["A", "C"])
    }

    @Test("callAll collects a nil result like any other value")
    func nilValues() {
        addThree()
        let outcomes: ProviderOutcomes<Int?, WorkError> = providers.callAll { provider throws(WorkError) in
            try provider.work() == "A" ? nil : 1
        }
        #expect(outcomes.values == [nil, 1])
        #expect(outcomes.results.count == 3)
    }

    @Test("get() returns all values, or throws one error whose message lists every failure")
    func get() throws {
        #expect(try providers.callAll { try $0.work() }.get() == [])
        addThree()
        providers.add(Worker.failing("D"))
        let error = #expect(throws: ProvidersError<WorkError>.self) {
            try providers.callAll { provider throws(WorkError) in try provider.work() }.get()
        }
        let thrown = try #require(error)
        #expect(thrown.interface == "ProvidersTests.WorkerProtocol")
        #expect(thrown.failures.map(\.error.description) == ["B is broken", "D is broken"])
        #expect(thrown.site.hasPrefix("ProvidersTests/CallAllTests.swift:"))
        let text = thrown.description
        #expect(text.hasPrefix("\(thrown.site): providers of ProvidersTests.WorkerProtocol failed: 1. "))
        #expect(
            text.contains("1. ProvidersTests.Worker, priority 5, added at ProvidersTests/CallAllTests.swift"))
        #expect(text.contains(": B is broken; 2. "))
        #expect(text.contains("remove(_:)"))
    }

    @Test("The async callAll waits for each call before it makes the next one")
    func async() async throws {
        addThree()
        let journal = Shared<[String]>([])
        let outcomes = await providers.callAll { provider async throws(WorkError) in
            journal.update { $0.append("\(provider.name) begins") }
            defer { journal.update { $0.append("\(provider.name) ends") } }
            return try await provider.workLong()
        }
        #expect(outcomes.values == ["A", "C"])
        #expect(outcomes.failures.map(\.error) == [WorkError(description: "B is broken")])
        #expect(journal.value == ["A", "B", "C"].flatMap { ["\($0) begins", "\($0) ends"] })
        let names = await providers.callAll { provider in
            await Task.yield()
            return provider.name
        }
        #expect(names == ["A", "B", "C"])
    }

    @Test("callAll calls every provider even in a cancelled task, and each sees the cancellation")
    func cancelled() async {
        addThree()
        let isCancelled = await Task { [providers] in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await providers.callAll { _ in
                await Task.yield()
                return Task.isCancelled
            }
        }.value
        #expect(isCancelled == [true, true, true])
    }

    @MainActor
    @Test("callAll stays on the main actor, so it supports main-actor interfaces and non-Sendable values")
    func mainActor() async {
        final class Screen { var title = "" }
        let screens = Providers<ScreenProtocol>()
        screens.add(TitleScreen(title: "A"))
        screens.add(TitleScreen(title: "B"))
        let shown = screens.callAll { provider in
            let screen = Screen()
            screen.title = provider.title
            return screen
        }
        #expect(shown.map(\.title) == ["A", "B"])
        let loaded = await screens.callAll { provider in
            let screen = Screen()
            screen.title = await provider.load()
            return screen
        }
        #expect(loaded.map(\.title) == ["A loaded", "B loaded"])
    }

    @Test("callAll calls the providers that are in the set when it begins, even if a call changes the set")
    func reentrancy() {
        let calls = Shared<[String]>([])
        let late = Shared<ProviderHandle?>(nil)
        providers.add(
            Worker(name: "A") { [providers] () throws(WorkError) in
                calls.update { $0.append("A") }
                providers.add(Worker(name: "C") { () throws(WorkError) in calls.update { $0.append("C") } })
                if let handle = late.value { providers.remove(handle) }
            })
        late.value = providers.add(
            Worker(name: "B") { () throws(WorkError) in calls.update { $0.append("B") } })
        _ = providers.callAll { try $0.work() }
        #expect(calls.value == ["A", "B"])
        #expect(providers.all.map(\.implementation.name) == ["A", "C"])
    }
}

@MainActor
protocol ScreenProtocol: Sendable {
    var title: String { get }
    func load() async -> String
}

@MainActor
final class TitleScreen: ScreenProtocol {
    let title: String
    init(title: String) { self.title = title }
    func load() async -> String { title + " loaded" }
}
