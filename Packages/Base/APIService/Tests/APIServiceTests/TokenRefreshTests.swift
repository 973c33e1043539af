import APIServiceTesting
import Foundation
import Testing

@testable import APIService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Token refresh")
struct TokenRefreshTests {
    private let token = Recorded("old")
    private let refreshes = Recorded(0)

    /// A service whose server takes the token "new" only.
    private func service(
        timeout: Duration? = nil, refresh: @escaping @Sendable (APIService) async throws -> Void,
        answer: @escaping @Sendable (URLRequest) async -> StubAPIClient.Answer? = { _ in nil }
    ) -> (APIService, StubAPIClient) {
        let client = StubAPIClient { request in
            if let answer = await answer(request) { return answer }
            return request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
                ? .text("ok") : .text("", statusCode: 401)
        }
        let own = Recorded<APIService?>(nil)
        let (token, refreshes) = (token, refreshes)
        let service = APIService(
            client: client,
            config: testSettings {
                $0.timeout = nil
                $0.accessories = [APITokenAccessory(user: { "u" }, token: { token.value })]
                $0.tokenRefresh = APITokenRefresh(timeout: timeout) {
                    refreshes.update { $0 += 1 }
                    guard let service = own.value else { return }
                    try await refresh(service)
                }
            })
        own.update { $0 = service }
        return (service, client)
    }

    @Test("a hundred refused requests refresh once, and all go again with the new token")
    func singleFlight() async {
        let all = Door()
        let refused = Recorded(0)
        let token = token
        let (service, _) = service { _ in
            await all.pass()
            token.update { $0 = "new" }
        } answer: { request in
            guard request.value(forHTTPHeaderField: "Authorization") == "Bearer old" else { return nil }
            if refused.update({
                $0 += 1; return $0
            }) == 100 {
                all.open()
            }
            return nil
        }
        await withTaskGroup { group in
            for number in 0..<100 {
                group.addTask {
                    let response = await service.response(
                        to: TestRequest(Text.self) { $0.path = "/\(number)" })
                    #expect(response.result.value == Text("ok"))
                    #expect(response.explanation.stages.contains(.refresh))
                    #expect(response.explanation.attempts == 2)
                }
            }
        }
        #expect(refreshes.value == 1)
    }

    @Test("one that was refused with a token that has been renewed meanwhile goes again without a refresh")
    func late() async {
        let (late, there) = (Door(), Door())
        let token = token
        let (service, _) = service { _ in
            token.update { $0 = "new" }
        } answer: { request in
            guard request.url?.path == "/late",
                request.value(forHTTPHeaderField: "Authorization") == "Bearer old"
            else { return nil }
            there.open()
            await late.pass()
            return nil
        }
        async let other = service.response(to: TestRequest(Text.self) { $0.path = "/late" })
        await there.pass()
        #expect(await service.response(to: TestRequest(Text.self)).result.value == Text("ok"))
        late.open()
        #expect(await other.result.value == Text("ok"))
        #expect(refreshes.value == 1)
    }

    @Test("the refresh's own request, through the same service, neither waits for a refresh nor starts one")
    func ownRequest() async {
        let token = token
        let (service, _) = service { service in
            // Refused as well: must come back as what it is.
            let login = await service.response(to: TestRequest(Text.self) { $0.path = "/login" })
            #expect(login.response?.statusCode == 401)
            token.update { $0 = "new" }
        }
        #expect(await service.response(to: TestRequest(Text.self)).result.value == Text("ok"))
        #expect(refreshes.value == 1)
    }

    @Test("the refresh's own request does not join an equal one that waits for the refresh")
    func ownEqualRequest() async {
        let token = token
        let (service, client) = service { service in
            let own = await service.response(to: TestRequest(Text.self) { $0.coalesces = true })
            #expect(own.response?.statusCode == 401)
            token.update { $0 = "new" }
        }
        let response = await service.response(to: TestRequest(Text.self) { $0.coalesces = true })
        #expect(response.result.value == Text("ok"))
        #expect(client.requests.count == 3)
    }

    @Test(
        "when the refresh fails, all who wait for it fail with its error; the next starts another",
        .timeLimit(.minutes(1)))
    func failure() async {
        let fails = Recorded(true)
        let token = token
        let (service, _) = service { service in
            guard fails.value else { return token.update { $0 = "new" } }
            // That all have been refused is not enough: who comes to wait when it has failed starts another.
            while service.waitersForToken < 10 { await Task.yield() }
            throw Failure("logged out")
        }
        await withTaskGroup { group in
            for _ in 0..<10 {
                group.addTask {
                    let response = await service.response(to: TestRequest(Text.self))
                    #expect(response.result.error == .requestError(.failed(Failure("logged out"))))
                }
            }
        }
        #expect(refreshes.value == 1)
        fails.update { $0 = false }
        #expect(await service.response(to: TestRequest(Text.self)).result.value == Text("ok"))
        #expect(refreshes.value == 2)
    }

    @Test("a server that refuses the new token too is not asked a third time")
    func once() async {
        let (service, client) = service { _ in }
        #expect(await service.response(to: TestRequest(Text.self)).response?.statusCode == 401)
        #expect(client.requests.count == 2)
        #expect(refreshes.value == 1)
    }

    @Test("one that is cancelled while it waits leaves; the refresh goes on for the others")
    func cancelled() async {
        let (there, go) = (Door(), Door())
        let token = token
        let (service, _) = service { _ in
            there.open()
            await go.pass()
            token.update { $0 = "new" }
        }
        let first = Task { await service.response(to: TestRequest(Text.self)) }
        await there.pass()
        async let second = service.response(to: TestRequest(Text.self))
        first.cancel()
        #expect(await first.value.result.error == .cancelled)
        go.open()
        #expect(await second.result.value == Text("ok"))
        #expect(refreshes.value == 1)
    }

    @Test(
        "one that does not end is cancelled at its time limit: who waits fails, and the next starts another")
    func endless() async {
        let (clock, token, ended) = (VirtualClock(), token, Door())
        let (service, _) = service(timeout: .seconds(30)) { [refreshes] _ in
            guard refreshes.value == 1 else { return token.update { $0 = "new" } }
            await untilCancelled()
            ended.open()
        }
        service.config.update { $0.clock = clock }
        async let first = service.response(to: TestRequest(Text.self))
        await clock.waitForSleepers(1)
        #expect(clock.sleeps == [.seconds(30)])
        clock.advance(by: .seconds(30))
        #expect(await first.result.error == .timedOut)
        await ended.pass()
        #expect(await service.response(to: TestRequest(Text.self)).result.value == Text("ok"))
        #expect(refreshes.value == 2)
        #expect(clock.sleeps.isEmpty)
    }
}

extension APIService {
    /// How many wait for the token refresh that runs.
    var waitersForToken: Int { config.settings.tokenRefresh?.waiters ?? 0 }
}
