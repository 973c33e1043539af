import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APIService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Token refresh", .waitLimit)
struct TokenRefreshTests {
    private let token = Recorded("old")
    private let refreshes = Recorded(0)

    /// A service whose server accepts only the token "new".
    private func service(
        timeout: Duration? = nil, refresh: @escaping @Sendable (APIService) async throws -> String?,
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
                $0.tokenRefresh = APITokenRefresh(timeout: timeout) { _ in
                    refreshes.update { $0 += 1 }
                    guard let service = own.value else { return nil }
                    return try await refresh(service)
                } store: { new, _ in
                    token.update { $0 = new }
                }
            })
        own.update { $0 = service }
        return (service, client)
    }

    @Test("A hundred refused requests share one refresh and are all retried with the new token")
    func singleFlight() async {
        let all = Door()
        let refused = Recorded(0)
        let (service, _) = service { _ in
            await all.pass()
            return "new"
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

    @Test(
        "A request refused with an old token is retried without a refresh if the token has since been renewed"
    )
    func late() async {
        let (late, there) = (Door(), Door())
        let (service, _) = service { _ in
            "new"
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

    @Test("A request sent by the refresh itself neither waits for a refresh nor starts one")
    func ownRequest() async {
        let (service, _) = service { service in
            // The server refuses this request too, and the refresh must see the 401.
            let login = await service.response(to: TestRequest(Text.self) { $0.path = "/login" })
            #expect(login.response?.statusCode == 401)
            return "new"
        }
        #expect(await service.response(to: TestRequest(Text.self)).result.value == Text("ok"))
        #expect(refreshes.value == 1)
    }

    @Test("A request sent by the refresh itself does not join an equal request that waits for the refresh")
    func ownEqualRequest() async {
        let (service, client) = service { service in
            let own = await service.response(to: TestRequest(Text.self) { $0.coalesces = true })
            #expect(own.response?.statusCode == 401)
            return "new"
        }
        let response = await service.response(to: TestRequest(Text.self) { $0.coalesces = true })
        #expect(response.result.value == Text("ok"))
        #expect(client.requests.count == 3)
    }

    @Test(
        "A failed refresh fails all waiting requests with its error, and the next request starts another refresh",
        .timeLimit(.minutes(10)), .waitLimit)
    func failure() async {
        let fails = Recorded(true)
        let (service, _) = service { service in
            guard fails.value else { return "new" }
            // Fail only when all ten requests are waiting, because a later request would start another refresh.
            while service.waitersForToken < 10 { await Task.yield() }
            throw Failure("logged out")
        }
        await withTaskGroup { group in
            for _ in 0..<10 {
                group.addTask {
                    let response = await service.response(to: TestRequest(Text.self))
                    #expect(response.result.error == .refreshFailed(Failure("logged out")))
                }
            }
        }
        #expect(refreshes.value == 1 && service.waitersForToken == 0)
        fails.update { $0 = false }
        #expect(await service.response(to: TestRequest(Text.self)).result.value == Text("ok"))
        #expect(refreshes.value == 2)
    }

    @Test("A request is not sent a third time if the server also refuses the new token")
    func once() async {
        let (service, client) = service { _ in "old" }
        #expect(await service.response(to: TestRequest(Text.self)).response?.statusCode == 401)
        #expect(client.requests.count == 2)
        #expect(refreshes.value == 1)
    }

    @Test("An item that is forbidden for ever costs one refresh per minute, and other requests still refresh")
    func forbidden() async {
        let date = Recorded(Date(timeIntervalSince1970: 0))
        let token = token
        let (service, client) = service { _ in
            "new"
        } answer: { request in
            request.url?.path == "/forbidden" ? .text("", statusCode: 401) : nil
        }
        service.config.update { $0.now = { date.value } }
        func status(_ path: String) async -> Int? {
            await service.response(to: TestRequest(Text.self) { $0.path = path }).response?.statusCode
        }
        for _ in 0..<5 { #expect(await status("/forbidden") == 401) }
        #expect(refreshes.value == 1)
        #expect(client.requests.count == 6)
        // The token expires, and another request notices it.
        token.update { $0 = "old" }
        #expect(await status("/thing") == 200)
        #expect(refreshes.value == 2)
        #expect(await status("/forbidden") == 401)
        #expect(refreshes.value == 2)
        // Later, the token may have expired again.
        date.update { $0 += 60 }
        #expect(await status("/forbidden") == 401)
        #expect(refreshes.value == 3)
    }

    @Test("A request that was refused without a log-in refreshes the token of a later log-in")
    func laterLogIn() async {
        let token = token
        token.update { $0 = "none" }
        let (service, client) = service { _ in
            token.value == "none" ? nil : "new"
        }
        let request = TestRequest(Text.self)
        #expect(await service.response(to: request).response?.statusCode == 401)
        token.update { $0 = "old" }
        #expect(await service.response(to: request).result.value == Text("ok"))
        #expect(refreshes.value == 2)
        #expect(client.requests.count == 3)
    }

    @Test("A forbidden item is sent again if the token was renewed while it was under way")
    func forbiddenRenewed() async {
        let (isUnderWay, go) = (Door(), Door())
        let isLate = Recorded(false)
        let token = token
        let (service, client) = service { _ in
            "new"
        } answer: { request in
            guard request.url?.path == "/forbidden" else { return nil }
            if isLate.value, request.value(forHTTPHeaderField: "Authorization") == "Bearer old" {
                isUnderWay.open()
                await go.pass()
            }
            return .text("", statusCode: 401)
        }
        let forbidden = TestRequest(Text.self) { $0.path = "/forbidden" }
        _ = await service.response(to: forbidden)
        token.update { $0 = "old" }
        isLate.update { $0 = true }
        async let late = service.response(to: forbidden)
        await isUnderWay.pass()
        #expect(await service.response(to: TestRequest(Text.self)).result.value == Text("ok"))
        go.open()
        #expect(await late.explanation.attempts == 2)
        #expect(refreshes.value == 2)
        #expect(client.requests.last?.value(forHTTPHeaderField: "Authorization") == "Bearer new")
    }

    @Test("Cancelling a request that waits for the refresh leaves the refresh running for the other requests")
    func cancelled() async {
        let (there, go) = (Door(), Door())
        let (service, _) = service { _ in
            there.open()
            await go.pass()
            return "new"
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
        "A refresh that times out fails the waiting requests, and the next request starts another refresh"
    )
    func endless() async {
        let (clock, ended) = (VirtualClock(), Door())
        let (service, _) = service(timeout: .seconds(30)) { [refreshes] _ in
            guard refreshes.value == 1 else { return "new" }
            await untilCancelled()
            ended.open()
            return "late"
        }
        service.config.update { $0.clock = clock }
        async let first = service.response(to: TestRequest(Text.self))
        await clock.waitForSleepers(1)
        #expect(clock.sleeps == [.seconds(30)])
        clock.advance(by: .seconds(30))
        #expect(await first.result.error == .refreshFailed(APIError.timedOut))
        await ended.pass()
        #expect(await service.response(to: TestRequest(Text.self)).result.value == Text("ok"))
        #expect(refreshes.value == 2)
        #expect(clock.sleeps.isEmpty)
    }
}

extension APIService {
    /// The number of requests that wait for the current token refresh.
    var waitersForToken: Int { config.settings.tokenRefresh?.waiters ?? 0 }
}
