import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APIEvents
@testable import APIService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A token refresh belongs to the user whose request was rejected", .waitLimit)
struct UserRefreshTests {
    /// Who is logged in, and with which token.
    private let session = Recorded<(user: String?, token: String)>(("ann", "ann old"))
    /// The users of the refreshes so far.
    private let refreshes = Recorded<[String?]>([])

    /// A service whose server accepts the tokens that begin with the user's name and end with "new".
    private func service(
        _ change: (inout APISettings) -> Void = { _ in },
        store: (@Sendable (String, String?) async throws -> Void)? = nil,
        refresh: @escaping @Sendable (_ user: String?) async throws -> String?
    ) -> (APIService, StubAPIClient) {
        let client = StubAPIClient { request in
            let token = request.value(forHTTPHeaderField: "Authorization") ?? ""
            guard token.hasSuffix("new"), request.url?.path != "/forbidden" else {
                return .text("", statusCode: 401)
            }
            return request.url?.path == "/events" ? .events("data: \(token)\n\n") : .text(token)
        }
        let (session, refreshes) = (session, refreshes)
        let config = testSettings {
            $0.timeout = nil
            $0.accessories = [
                APITokenAccessory(user: { session.value.user }, scheme: "", token: { session.value.token })
            ]
            $0.tokenRefresh = APITokenRefresh(timeout: nil) { user in
                refreshes.update { $0.append(user) }
                return try await refresh(user)
            } store: { token, user in
                if let store { return try await store(token, user) }
                session.update { if $0.user == user { $0.token = token } }
            }
            change(&$0)
        }
        return (APIService(client: client, config: config), client)
    }

    private func result(_ service: APIService, _ path: String = "/thing") async -> APIResult<Text> {
        await service.response(to: TestRequest(Text.self) { $0.path = path }).result
    }

    private func event(_ service: APIService) async throws -> String? {
        for try await event in service.events(of: TestRequest(Text.self) { $0.path = "/events" }) {
            return event.data
        }
        return nil
    }

    @Test(
        "The next user's requests neither wait for the former user's refresh nor get its token or its error",
        .timeLimit(.minutes(10)), .waitLimit, arguments: [nil, Failure("ann's error")])
    func next(failure: Failure?) async throws {
        let (isUnderWay, go) = (Door(), Door())
        let (service, client) = service { user in
            guard user == "ann" else { return "\(user ?? "") new" }
            isUnderWay.open()
            await go.pass()
            if let failure { throw failure }
            return "ann new"
        }
        async let former = result(service)
        await isUnderWay.pass()
        session.update { $0 = ("bob", "bob old") }
        for _ in 1...5 { #expect(await result(service).value == Text("bob new")) }
        session.update { $0 = ("bob", "bob expired") }
        #expect(try await event(service) == "bob new")
        go.open()
        #expect(await former.error == (failure.map { .refreshFailed($0) } ?? .userChanged))
        #expect(refreshes.value == ["ann", "bob", "bob"])
        #expect(session.value.token == "bob new")
        #expect(await result(service).value == Text("bob new"))
        #expect(client.requests.filter { $0.value(forHTTPHeaderField: "Authorization") == "ann new" }.isEmpty)
    }

    @Test("The token of a user who has gone is dropped, even if the user changes just before it is stored")
    func dropped() async {
        let (session, stored) = (session, Recorded<[String?]>([]))
        let (early, _) = service(store: { _, user in stored.update { $0.append(user) } }) { _ in
            session.update { $0 = ("bob", "bob old") }
            return "ann new"
        }
        #expect(await result(early).error == .userChanged)
        #expect(stored.value == [])
        session.update { $0 = ("ann", "ann old") }
        let (late, _) = service(store: { token, user in
            session.update { $0 = ("bob", "bob old") }
            session.update { if $0.user == user { $0.token = token } }
        }) { _ in "ann new" }
        #expect(await result(late).error == .userChanged)
        #expect(session.value.token == "bob old")
    }

    @Test("A user who has returned refreshes again")
    func returned() async {
        let session = session
        let (service, _) = service { [refreshes] user in
            if refreshes.value.count == 1 { session.update { $0 = ("bob", "bob old") } }
            return "\(user ?? "") new"
        }
        #expect(await result(service).error == .userChanged)
        session.update { $0 = ("ann", "ann old") }
        #expect(await result(service).value == Text("ann new"))
    }

    private static let refusals: [any Error] =
        [APITokenRefusal("the session has ended")]
        + [400, 401, 403].map { status in
            APIError.responseError(.unacceptableStatus(APIStatusFailure(statusCode: status)))
        }

    @Test("A refresh that the server refused is not repeated for the same token", arguments: refusals)
    func refused(refusal: any Error) async throws {
        let (service, client) = service { user in
            guard user == "bob" else { throw refusal }
            return "bob new"
        }
        for _ in 1...11 { #expect(await result(service).error == .refreshFailed(refusal)) }
        await #expect(throws: APIError.refreshFailed(refusal)) { try await event(service) }
        #expect(refreshes.value == ["ann"] && client.requests.count == 12)
        // Another log-in, of another user and of the same one.
        session.update { $0 = ("bob", "bob old") }
        #expect(await result(service).value == Text("bob new"))
        session.update { $0 = ("ann", "ann newer") }
        #expect(await result(service).error == .refreshFailed(refusal))
        #expect(refreshes.value == ["ann", "bob", "ann"])
    }

    private static let passing: [any Error] =
        [APIError.networkError, APIError.timedOut, Failure("no idea")]
        + [408, 429, 503].map { status in
            APIError.responseError(.unacceptableStatus(APIStatusFailure(statusCode: status)))
        }

    @Test("A refresh that could not reach the server is tried at the next rejection", arguments: passing)
    func unreachable(error: any Error) async {
        let (service, _) = service { [refreshes] _ in
            guard refreshes.value.count > 2 else { throw error }
            return "ann new"
        }
        for _ in 1...2 { #expect(await result(service).error == .refreshFailed(error)) }
        #expect(await result(service).value == Text("ann new"))
        #expect(refreshes.value.count == 3)
    }

    @Test("A rejection is delivered if there is no token to renew, and the request is not repeated")
    func nothing() async {
        session.update { $0 = (nil, "") }
        let (service, client) = service { _ in nil }
        #expect(await service.response(to: TestRequest(Text.self)).response?.statusCode == 401)
        await #expect(throws: APIError.self) { try await event(service) }
        #expect(client.requests.count == 2 && refreshes.value == [nil, nil])
    }

    @Test("A forbidden item costs one refresh per minute even if each request has another signature")
    func signed() async {
        let signature = Recorded(0)
        let (service, _) = service {
            $0.accessories.append(
                APISigningAccessory { request in
                    var request = request
                    request.setValue("\(signature.next())", forHTTPHeaderField: "X-Signature")
                    return request
                })
        } refresh: { _ in
            "ann new"
        }
        for _ in 1...5 { _ = await result(service, "/forbidden") }
        #expect(refreshes.value == ["ann"])
    }

    @Test(
        "A refused refresh is not repeated for the token of an accessory of the app's own, whatever others sign"
    )
    func refusedSigned() async {
        let (session, signature) = (session, Recorded(0))
        let refusal = APITokenRefusal("the session has ended")
        let (service, _) = service {
            $0.accessories = [
                OwnToken(session: session),
                APISigningAccessory { request in
                    var request = request
                    request.setValue("\(signature.next())", forHTTPHeaderField: "X-Signature")
                    return request
                },
            ]
        } refresh: { _ in
            throw refusal
        }
        for _ in 1...3 { #expect(await result(service).error == .refreshFailed(refusal)) }
        await #expect(throws: APIError.refreshFailed(refusal)) { try await event(service) }
        #expect(refreshes.value == ["ann"])
        session.update { $0.token = "ann newer" }
        #expect(await result(service).error == .refreshFailed(refusal))
        #expect(refreshes.value == ["ann", "ann"])
    }

    /// Where an accessory puts its token.
    enum Place: CaseIterable { case field, query, form, json }

    @Test(
        "A refused refresh is repeated for another token, wherever the accessory puts it, and for no other request",
        arguments: Place.allCases, [nil, []] as [Set<String>?])
    func refusedElsewhere(place: Place, fields: Set<String>?) async {
        if place == .field, fields != nil { return }
        let session = session
        let refusal = APITokenRefusal("the session has ended")
        let (service, _) = service {
            $0.accessories = [OwnToken(session: session, place: place, credentialFields: fields)]
        } refresh: { _ in
            throw refusal
        }
        // Tokens may have many bytes in common.
        let start = String(repeating: "a", count: 200)
        for count in 1...3 {
            session.update { $0.token = "\(start)\(count)" }
            for (number, path) in ["/a", "/b", "/a"].enumerated() {
                let request = TestRequest(Text.self) {
                    ($0.path, $0.method) = (path, .post)
                    $0.parameters = ["number": .init(number)]
                    $0.encoding = place == .json ? APIJSONEncoding.default : APIURLEncoding.httpBody
                    if place == .query { $0.encoding = APIURLEncoding.queryString }
                }
                #expect(await service.response(to: request).result.error == .refreshFailed(refusal))
            }
            #expect(refreshes.value.count == count)
        }
    }

    private struct OwnToken: APIAccessory {
        let session: Recorded<(user: String?, token: String)>
        var place = Place.field
        var credentialFields: Set<String>?
        var user: String? { session.value.user }

        func adapt(_ request: URLRequest) -> URLRequest {
            var request = request
            let (token, body) = (
                session.value.token, String(decoding: request.httpBody ?? Data(), as: UTF8.self)
            )
            switch place {
            case .field: request.setValue(token, forHTTPHeaderField: "Authorization")
            case .query: request.url?.append(queryItems: [URLQueryItem(name: "token", value: token)])
            case .form: request.httpBody = Data("\(body)&token=\(token)".utf8)
            case .json: request.httpBody = Data(body.replacing("{", with: "{\"token\":\"\(token)\",").utf8)
            }
            return request
        }
    }

    @Test("The user of a refresh is the user of the token accessory, whatever the other accessories add")
    func owner() async {
        let session = session
        let (service, _) = service {
            $0.accessories = [
                UserAccessory(user: "device"),
                APITokenAccessory(user: { session.value.user }, scheme: "", token: { session.value.token }),
            ]
        } refresh: { user in
            "\(user ?? "") new"
        }
        #expect(await result(service).value == Text("ann new"))
        session.update { $0 = (nil, "") }
        _ = await result(service)
        #expect(refreshes.value == ["ann", nil])
    }

    private struct UserAccessory: APIAccessory {
        let user: String?
        func adapt(_ request: URLRequest) -> URLRequest { request }
    }

    @Test("A refresh succeeds even if the user of another accessory changes meanwhile")
    func otherAccount() async {
        let (session, device) = (session, Recorded("d1"))
        let (isUnderWay, go) = (Door(), Door())
        let (service, _) = service {
            $0.accessories.append(
                APITokenAccessory(user: { device.value }, header: "X-Device", token: { device.value }))
        } refresh: { _ in
            isUnderWay.open()
            await go.pass()
            return "ann new"
        }
        async let first = result(service)
        await isUnderWay.pass()
        device.update { $0 = "d2" }
        async let second = result(service)
        while service.waitersForToken < 2 { await Task.yield() }
        go.open()
        #expect(await second.value == Text("ann new"))
        #expect(await first.error == .userChanged)
        #expect(session.value.token == "ann new" && refreshes.value == ["ann"])
    }

    @Test("The states of a thousand idle users are forgotten, and each user still refreshes")
    func many() async {
        let session = session
        let (service, _) = service { user in "\(user ?? "") new" }
        for number in 1...1_100 {
            session.update { $0 = ("\(number)", "old") }
            #expect(await result(service).value == Text("\(number) new"))
        }
        #expect((service.config.settings.tokenRefresh?.knownUsers ?? 0) <= 1_001)
    }
}
