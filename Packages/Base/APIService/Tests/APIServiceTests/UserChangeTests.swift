import APICache
import APICoalescing
import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APIEvents
@testable import APIService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A change of the user while a request is under way", .waitLimit)
struct UserChangeTests {
    /// The user who is logged in, whose name is also the token.
    private let user = Recorded<String?>("ann")

    /// A service whose server passes the number of each request to `answer`.
    private func service(
        _ change: (inout APISettings) -> Void = { _ in },
        answer: @escaping @Sendable (_ number: Int) -> StubAPIClient.Answer
    ) -> (APIService, StubAPIClient) {
        let number = Recorded(0)
        let client = StubAPIClient { _ in answer(number.next()) }
        let user = user
        let config = testSettings {
            $0.accessories = [
                APITokenAccessory(user: { user.value }, scheme: "", token: { user.value })
            ]
            change(&$0)
        }
        return (APIService(client: client, config: config), client)
    }

    private func tokens(_ client: StubAPIClient) -> [String?] {
        client.requests.map { $0.value(forHTTPHeaderField: "Authorization") }
    }

    @Test(
        "A retry fails instead of being sent with the token of another user, or with none",
        arguments: ["bob", nil])
    func retry(next: String?) async {
        let user = user
        let (service, client) = service {
            $0.retry = APIRetryPolicy(maximumAttempts: 3, baseDelay: .zero)
        } answer: { _ in
            user.update { $0 = next }
            return .text("", statusCode: 503)
        }
        #expect(await service.response(to: TestRequest(Text.self)).result.error == .userChanged)
        #expect(tokens(client) == ["ann"])
    }

    @Test("A request that is repeated after a token refresh fails if the refresh has changed the user")
    func refresh() async {
        let user = user
        let (service, client) = service {
            $0.tokenRefresh = APITokenRefresh { _ in
                ""
            } store: { _, _ in
                user.update { $0 = "bob" }
            }
        } answer: {
            $0 == 1 ? .text("", statusCode: 401) : .text("paid by bob")
        }
        #expect(await service.response(to: TestRequest(Text.self)).result.error == .userChanged)
        #expect(tokens(client) == ["ann"])
    }

    @Test("A request whose user changes while an accessory waits for the token is not sent")
    func firstAttempt() async {
        let (waiting, go) = (Door(), Door())
        let user = user
        let (service, client) = service {
            $0.accessories = [
                APITokenAccessory(
                    user: { user.value },
                    token: {
                        waiting.open()
                        await go.pass()
                        return user.value
                    })
            ]
        } answer: { _ in
            .text("paid by bob")
        }
        async let response = service.response(to: TestRequest(Text.self))
        await waiting.pass()
        user.update { $0 = "bob" }
        go.open()
        #expect(await response.result.error == .userChanged)
        #expect(client.requests.isEmpty)
    }

    @Test(
        "A request that names its user is not sent if another user, or nobody, is logged in",
        arguments: ["bob", nil])
    func requiredUser(next: String?) async {
        let (service, client) = service { _ in .text("paid by ann") }
        let request = TestRequest(Text.self) { $0.requiredUser = "ann" }
        #expect(await service.response(to: request).result.error == nil)
        user.update { $0 = next }
        #expect(await service.response(to: request).result.error == .userChanged)
        await #expect(throws: APIError.userChanged) { for try await _ in service.events(of: request) {} }
        #expect(tokens(client) == ["ann"])
    }

    @Test("A stream ends with an error instead of reconnecting with the token of another user")
    func stream() async {
        let user = user
        let (service, client) = service {
            guard $0 == 1 else { return StubAPIClient.Answer(statusCode: 204) }
            user.update { $0 = "bob" }
            return .events("data: of ann\n\n")
        }
        var data: [String] = []
        let error = await #expect(throws: APIError.self) {
            let source = APIEventSource(maximumReconnections: 3, delay: .zero)
            for try await event in service.events(of: TestRequest(Text.self), source: source) {
                data.append(event.data)
            }
        }
        #expect(error == .userChanged && data == ["of ann"])
        #expect(tokens(client) == ["ann"])
    }

    @Test(
        "A rejected token of a user who has gone starts no refresh, which would renew the next user's token")
    func noRefresh() async {
        let user = user
        let refreshes = Recorded(0)
        let (service, client) = service {
            $0.tokenRefresh = APITokenRefresh { _ in
                "\(refreshes.next())"
            } store: { _, _ in
            }
        } answer: { _ in
            user.update { $0 = "bob" }
            return .text("", statusCode: 401)
        }
        #expect(await service.response(to: TestRequest(Text.self)).result.error == .userChanged)
        user.update { $0 = "ann" }
        await #expect(throws: APIError.userChanged) {
            for try await _ in service.events(of: TestRequest(Text.self)) {}
        }
        #expect(tokens(client) == ["ann", "ann"] && refreshes.value == 0)
    }

    @Test("The error is the same if an accessory has no token without a user")
    func throwingToken() async {
        let user = user
        let (service, _) = service {
            $0.accessories = [
                APITokenAccessory(user: { user.value }) {
                    guard let token = user.value else { throw Failure("nobody is logged in") }
                    return token
                }
            ]
            $0.retry = APIRetryPolicy(maximumAttempts: 3, baseDelay: .zero)
        } answer: { _ in
            user.update { $0 = nil }
            return .text("", statusCode: 503)
        }
        #expect(await service.response(to: TestRequest(Text.self)).result.error == .userChanged)
    }

    @Test(
        "A request belongs to the user who makes it, even if its interceptor logs in another, and is cached or shared",
        arguments: [true, false])
    func interceptor(isShared: Bool) async {
        let user = user
        let (service, client) = service {
            $0.cacheTool = CacheTool.inMemory()
            $0.coalescing = APICoalescing()
        } answer: {
            .text("\($0)")
        }
        func response(_ intercept: @escaping @Sendable () -> Void = {}) async -> APIResult<Text> {
            let request = TestRequest(Text.self) {
                $0.coalesces = isShared
                $0.cache = .cached(for: .seconds(60))
                $0.onRequest = { request in
                    intercept()
                    return request
                }
            }
            return await service.response(to: request).result
        }
        user.update { $0 = "bob" }
        #expect(await response().value == Text("1"))
        user.update { $0 = "ann" }
        #expect(await response { user.update { $0 = "bob" } }.error == .userChanged)
        #expect(tokens(client) == ["bob"])
    }

    @Test(
        "The user of cached responses does not decide to whom a request belongs", arguments: ["ann", nil])
    func cacheUser(first: String?) async {
        user.update { $0 = first }
        let user = user
        let (service, client) = service {
            // The same user for all.
            $0.accessories.append(APITokenAccessory(user: { "device" }, header: "X-Device", token: { "d" }))
            $0.user = { first == nil ? user.value ?? "guest" : "everybody" }
            $0.retry = APIRetryPolicy(maximumAttempts: 2, baseDelay: .zero)
        } answer: { number in
            user.update { $0 = "bob" }
            return number == 1 ? .text("", statusCode: 503) : .text("to bob")
        }
        let result = await service.response(to: TestRequest(Text.self)).result
        #expect(first == nil ? result.value == Text("to bob") : result.error == .userChanged)
        #expect(tokens(client) == (first == nil ? [nil, "bob"] : ["ann"]))
    }

    @Test("A request that was made while nobody was logged in may be repeated with the token of a new user")
    func nobody() async {
        user.update { $0 = nil }
        let user = user
        let (service, client) = service {
            $0.tokenRefresh = APITokenRefresh { _ in
                "ann"
            } store: { new, _ in
                user.update { $0 = new }
            }
        } answer: {
            $0 == 1 ? .text("", statusCode: 401) : .text("welcome")
        }
        #expect(await service.response(to: TestRequest(Text.self)).result.value == Text("welcome"))
        #expect(tokens(client) == [nil, "ann"])
    }
}
