import APIService
import APIServiceTesting
import APITransport
import Foundation
import TestSupport
import Testing

@testable import APICoalescing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Requests that must not share an exchange", .timeLimit(.minutes(10)), .waitLimit)
struct SharedExchangeTests {
    private let isUnderWay = Door()
    private let go = Door()
    private let count = Recorded(0)

    /// A client that numbers its answers. The first one waits for ``go``.
    private func client() -> StubAPIClient {
        let (isUnderWay, go, count) = (isUnderWay, go, count)
        return StubAPIClient { _ in
            let number = count.next()
            if number == 1 {
                isUnderWay.open()
                await go.pass()
            }
            return .text("\(number)")
        }
    }

    /// Sends a request with `first`, and an equal one with `second` while the first one waits.
    private func answers(
        _ first: APIService, _ second: APIService? = nil, between: () -> Void = {},
        firstProgress: APIProgressHandler? = nil, secondProgress: APIProgressHandler? = nil,
        second change: (inout TestRequest<Text>) -> Void = { _ in }
    ) async -> [Text?] {
        let request = TestRequest(Text.self) { $0.coalesces = true }
        var changed = request
        change(&changed)
        let other = changed
        async let one = first.response(to: request, progressHandler: firstProgress).result.value
        await isUnderWay.pass()
        between()
        let task = Task {
            await (second ?? first).response(to: other, progressHandler: secondProgress).result.value
        }
        let exchanges = first.config.settings.coalescing
        while count.value < 2, exchanges?.waiters != 2 { await Task.yield() }
        go.open()
        return [await one, await task.value]
    }

    @Test("Requests that are equal in every respect share an exchange")
    func equal() async {
        let service = APIService(client: client(), config: testSettings())
        #expect(await answers(service) == [Text("1"), Text("1")])
    }

    @Test("Requests of different services share none: one may pin keys or send other credentials")
    func services() async {
        let config = testSettings()
        let (one, other) = (
            APIService(client: client(), config: config), APIService(client: client(), config: config)
        )
        #expect(await answers(one, other) == [Text("1"), Text("2")])
    }

    @Test("A request that was made after the settings have changed shares none with one from before")
    func settings() async {
        @Sendable func change(_ settings: inout APISettings, _ tenant: String) {
            settings.accessories = [APIHeaderAccessory(["X-Tenant": tenant])]
        }
        let service = APIService(client: client(), config: testSettings { change(&$0, "a") })
        let answers = await answers(
            service, between: { service.config.update { change(&$0, "b") } })
        #expect(answers == [Text("1"), Text("2")])
    }

    @Test("Requests with the tokens of different users share none, even if all share the cache")
    func accounts() async {
        let user = Recorded("ann")
        let service = APIService(
            client: client(),
            config: testSettings {
                $0.user = { "everybody" }
                $0.accessories = [APITokenAccessory(user: { user.value }, token: { user.value })]
            })
        #expect(await answers(service, between: { user.update { $0 = "bob" } }) == [Text("1"), Text("2")])
    }

    @Test("Requests with different time limits share none")
    func limits() async {
        let service = APIService(client: client(), config: testSettings())
        #expect(await answers(service, second: { $0.timeout = .seconds(99) }) == [Text("1"), Text("2")])
    }

    @Test("Requests with different retry policies share none")
    func policies() async {
        let service = APIService(client: client(), config: testSettings())
        let answers = await answers(service, second: { $0.retry = APIRetryPolicy(maximumAttempts: 5) })
        #expect(answers == [Text("1"), Text("2")])
    }

    @Test("A request with a progress handler shares none, so that the handler sees its request's progress")
    func progress() async {
        let service = APIService(client: client(), config: testSettings())
        let calls = Recorded<[String]>([])
        let answers = await answers(
            service, firstProgress: { _ in calls.update { $0.append("one") } },
            secondProgress: { _ in calls.update { $0.append("other") } })
        #expect(answers == [Text("1"), Text("2")])
        #expect(Set(calls.value) == ["one", "other"])
    }
}
