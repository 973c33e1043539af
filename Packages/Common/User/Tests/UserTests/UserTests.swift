import APICache
import APIService
import APIServiceTesting
import ApiCenter
import Foundation
import Storage
import Synchronization
import TestSupport
import Testing
import UserApi

@testable import User

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Creates a URL from a string that is known to be valid.
private func url(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("\(text) is not a valid URL") }
    return url
}

/// Suspends the fake server before its response, until the test opens the barrier.
private actor Barrier {
    private var waiter: CheckedContinuation<Void, Never>?
    private var arrival: CheckedContinuation<Void, Never>?

    /// Suspends the server until ``open()`` is called.
    func wait() async {
        await withCheckedContinuation { waiter in
            self.waiter = waiter
            arrival?.resume()
            arrival = nil
        }
    }

    /// Returns when the server has reached ``wait()``.
    func arrive() async {
        if waiter == nil { await withCheckedContinuation { arrival = $0 } }
    }

    func open() { waiter?.resume() }
}

/// A cache that records the users whose responses are removed.
struct EmptyCache: APICacheTool {
    let removed = Recorded<[String?]>([])
    func entry(for key: APICacheKey) -> APICacheEntry? { nil }
    func store(_ entry: APICacheEntry, for key: APICacheKey, mode: APICacheWriteMode) {}
    func remove(_ key: APICacheKey) {}
    func removeAll(at location: String) {}
    func removeAll(user: String?) { removed.update { $0.append(user) } }
}

@Suite("User", .waitLimit)
struct UserTests {
    let center = ApiCenter()
    let storage = Storage.inMemory()
    let notifications = NotificationCenter()
    let client: StubAPIClient
    let network: APIService
    let user: any UserApiProtocol
    /// Holds back the server's response to the password "slow".
    private let barrier = Barrier()
    /// Runs while the server renews a token.
    private let whileRenewing = Recorded<@Sendable () async -> Void>({})
    /// The server's response to a renewal.
    private let renewal = Recorded(
        StubAPIClient.Answer.json(#"{"code": 0, "desc": "", "data": {"token": "new"}}"#))

    init() async throws {
        let client = StubAPIClient { [barrier, whileRenewing, renewal] request in
            var body = request.httpBody.map { String(decoding: $0, as: UTF8.self) } ?? ""
            if body.contains("slow") {
                await barrier.wait()
                body.replace("slow", with: "right")
            }
            if request.url?.path() == "/user/token", request.httpMethod == "POST" {
                await whileRenewing.value()
                return renewal.value
            }
            if request.url?.path() == "/journeys" {
                let isFresh = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
                return .json("", statusCode: isFresh ? 200 : 401)
            }
            guard request.url?.path() == "/user/login", request.httpMethod == "POST" else {
                return .json("{}", statusCode: 404)
            }
            return switch body {
            case #"{"password":"right","phone":"13800000000"}"#:
                .json(#"{"code": 0, "desc": "", "data": {"id": "7", "name": "Ann", "token": "t"}}"#)
            case #"{"password":"right","phone":"13900000000"}"#:
                .json(#"{"code": 0, "desc": "", "data": {"id": "8", "name": "Bob", "token": "u"}}"#)
            default: .json(#"{"code": 1002, "desc": "no"}"#)
            }
        }
        let network = APIService(
            client: client, config: .forTests { $0.baseURL = url("https://transit.example") })
        (self.client, self.network) = (client, network)
        center.register(APIService.self) { network }
        center.register(Storage.self) { [storage] in storage }
        center.register(NotificationCenter.self) { [notifications] in notifications }
        let module = UserModule()
        module.register(in: center)
        try await module.prepare(in: center)
        user = try center.requireApi(type: UserApiProtocol.self)
    }

    @Test("After a log-in, every caller of the Api sees the session")
    func logsIn() async throws {
        #expect(user.session == nil)
        let session = try await user.logIn(phone: "13800000000", password: "right")
        #expect(session == UserSession(id: "7", name: "Ann"))
        #expect(center.api(type: UserApiProtocol.self)?.session == session)
    }

    @Test("A session survives a restart and ends with a log-out")
    func restart() async throws {
        _ = try await user.logIn(phone: "13800000000", password: "right")
        let next = ApiCenter()
        next.register(APIService.self) { APIService(client: StubAPIClient { _ in .json("") }) }
        next.register(Storage.self) { [storage] in storage }
        next.register(NotificationCenter.self) { [notifications] in notifications }
        UserModule().register(in: next)
        #expect(next.api(type: UserApiProtocol.self)?.session?.name == "Ann")
        try await user.logOut()
        #expect(next.api(type: UserApiProtocol.self)?.session == nil)
        try await user.logOut()
    }

    /// A request that the server accepts only with a token other than "t".
    private struct Request: APIRequest {
        typealias Response = Data
        let path = "/journeys"
    }

    @Test("User adds the token to each request, and renews a rejected token without ending the session")
    func tokens() async throws {
        let ends = Recorded(0)
        let observer = notifications.addObserver(
            forName: Notification.Name(UserNotification.sessionEnded), object: nil, queue: nil
        ) { _ in ends.update { $0 += 1 } }
        defer { notifications.removeObserver(observer) }
        await #expect(throws: APIError.self) { try await network.sendRequest(Request()) }
        let session = try await user.logIn(phone: "13800000000", password: "right")
        _ = try await network.sendRequest(Request())
        #expect(user.session == session)
        let tokens = client.requests.filter { $0.url?.path() == "/journeys" }
            .map { $0.value(forHTTPHeaderField: "Authorization") }
        // Without a session, there is no token to renew.
        #expect(tokens == [nil, "Bearer t", "Bearer new"])
        #expect(ends.value == 0)
    }

    @Test("A user's cached responses are removed when the user's session ends")
    func removesResponses() async throws {
        let cache = EmptyCache()
        network.config.cacheTool = cache
        _ = try await user.logIn(phone: "13800000000", password: "right")
        _ = try await user.logIn(phone: "13900000000", password: "right")
        #expect(cache.removed.value == ["7"])
        try await user.logOut()
        #expect(cache.removed.value == ["7", "8"])
    }

    @Test("A renewed token does not revive a session that ended during the renewal")
    func renewsTooLate() async throws {
        _ = try await user.logIn(phone: "13800000000", password: "right")
        whileRenewing.update { $0 = { [user] in try? await user.logOut() } }
        await #expect(throws: APIError.self) { try await network.sendRequest(Request()) }
        #expect(user.session == nil)
    }

    private static let refusals: [StubAPIClient.Answer] = [
        .json("{}", statusCode: 401), .json("{}", statusCode: 403),
        .json(#"{"code": 1003, "desc": "the session has expired", "data": null}"#),
    ]

    @Test(
        "A session ends, and its observers know it, if the server refuses to renew its token",
        arguments: refusals)
    func refusedRenewal(answer: StubAPIClient.Answer) async throws {
        let ends = Recorded(0)
        let observer = notifications.addObserver(
            forName: Notification.Name(UserNotification.sessionEnded), object: nil, queue: nil
        ) { _ in ends.update { $0 += 1 } }
        defer { notifications.removeObserver(observer) }
        _ = try await user.logIn(phone: "13800000000", password: "right")
        renewal.update { $0 = answer }
        let error = await #expect(throws: APIError.self) { try await network.sendRequest(Request()) }
        guard case .refreshFailed(is APITokenRefusal) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(user.session == nil && ends.value == 1)
        let count = client.requests.count
        await #expect(throws: APIError.self) { try await network.sendRequest(Request()) }
        #expect(client.requests.count == count + 1)
    }

    private static let failures: [StubAPIClient.Answer] = [
        .failure(.unreachable(Unreachable())), .json("{}", statusCode: 503), .json("{}", statusCode: 429),
        .json(#"{"code": 9999, "desc": "unknown server failure", "data": null}"#),
        .json(#"{"code": 4711, "desc": "a code of a later server", "data": null}"#),
    ]

    private struct Unreachable: Error {}

    @Test(
        "A session continues if the server cannot renew its token now, and is renewed later",
        arguments: failures)
    func failedRenewal(answer: StubAPIClient.Answer) async throws {
        let session = try await user.logIn(phone: "13800000000", password: "right")
        let good = renewal.value
        renewal.update { $0 = answer }
        await #expect(throws: APIError.self) { try await network.sendRequest(Request()) }
        #expect(user.session == session)
        renewal.update { $0 = good }
        _ = try await network.sendRequest(Request())
    }

    @Test("A renewed token is not stored for another passenger")
    func storesForItsUser() async throws {
        let service = try center.requireApi(type: UserService.self)
        let saved = try SavedSession(in: storage)
        _ = try await service.logIn(phone: "13900000000", password: "right")
        await #expect(throws: UserApiError.self) { try await service.store("of Ann", of: "7") }
        #expect(saved.session?.token == "u")
        try await service.store("of Bob", of: "8")
        #expect(saved.session?.token == "of Bob")
        #expect(try await service.newToken(of: "7") == nil)
    }

    @Test("A token that was requested for a session is not used for the same passenger's next session")
    func renewsOneSession() async throws {
        let service = try center.requireApi(type: UserService.self)
        let saved = try SavedSession(in: storage)
        _ = try await service.logIn(phone: "13800000000", password: "right")
        whileRenewing.update {
            $0 = { _ = try? saved.replace(with: SignedSession(id: "7", name: "Ann", token: "later")) }
        }
        await #expect(throws: UserApiError.self) { try await service.newToken(of: "7") }
        #expect(saved.session?.token == "later")
    }

    @Test("Logging out or cancelling the task cancels a log-in in progress", arguments: [true, false])
    func cancelled(byLogOut: Bool) async throws {
        let logIn = Task { [user] in try await user.logIn(phone: "13800000000", password: "slow") }
        await barrier.arrive()
        if byLogOut { try await user.logOut() } else { logIn.cancel() }
        await barrier.open()
        await #expect(throws: UserApiError.self) { try await logIn.value }
        #expect(user.session == nil)
        #expect(try await user.logIn(phone: "13800000000", password: "right").name == "Ann")
    }

    @Test("A log-in that is answered after a newer one does not replace the newer session")
    func lateLogIn() async throws {
        let late = Task { [user] in try await user.logIn(phone: "13800000000", password: "slow") }
        await barrier.arrive()
        let bob = try await user.logIn(phone: "13900000000", password: "right")
        await barrier.open()
        await #expect(throws: UserApiError.self) { try await late.value }
        #expect(user.session == bob)
    }

    @Test("User posts sessionEnded after a log-out, and after a log-in that replaces the session")
    func sessionEnded() async throws {
        let seen = Mutex<[UserSession?]>([])
        let observer = notifications.addObserver(
            forName: Notification.Name(UserNotification.sessionEnded), object: nil, queue: nil
        ) { [user] _ in seen.withLock { $0.append(user.session) } }
        defer { notifications.removeObserver(observer) }
        let ann = try await user.logIn(phone: "13800000000", password: "right")
        _ = try await user.logIn(phone: "13800000000", password: "right")
        #expect(seen.withLock { $0 } == [])
        let bob = try await user.logIn(phone: "13900000000", password: "right")
        #expect(ann != bob)
        #expect(seen.withLock { $0 } == [bob])
        try await user.logOut()
        #expect(seen.withLock { $0 } == [bob, nil])
        try await user.logOut()
        #expect(seen.withLock { $0 } == [bob, nil])
    }

    @Test("If the session cannot be read, the app has no User, rather than one whose log-out does nothing")
    func unreadable() throws {
        let storage = Storage.inMemory(), next = ApiCenter()
        _ = try storage.document("user", version: 1, default: "of another type")
        next.register(APIService.self) { [network] in network }
        next.register(Storage.self) { storage }
        UserModule().register(in: next)
        let error = #expect(throws: ApiError.self) { try next.requireApi(type: UserApiProtocol.self) }
        #expect(((error?.cause as? ApiError)?.cause as? StorageError)?.code == .conflict)
    }

    @Test("The builders of User change nothing outside: only preparing adds the token to the requests")
    func opensOnly() async throws {
        let network = APIService(client: client, config: .forTests()), next = ApiCenter()
        next.register(APIService.self) { network }
        next.register(Storage.self) { [storage] in storage }
        let module = UserModule()
        module.register(in: next)
        _ = try next.requireApi(type: UserApiProtocol.self)
        #expect(network.config.settings.accessories.isEmpty)
        try await module.prepare(in: next)
        #expect(network.config.settings.accessories.count == 1)
    }

    @Test("A stream of the sessions begins with the current one, and keeps only the newest")
    func sessions() async throws {
        var early = user.sessions().makeAsyncIterator(), slow = user.sessions().makeAsyncIterator()
        #expect(await early.next() == .some(nil))
        let ann = try await user.logIn(phone: "13800000000", password: "right")
        #expect(await early.next() == ann)
        _ = try await network.sendRequest(Request())
        let bob = try await user.logIn(phone: "13900000000", password: "right")
        // The renewed token has not sent Ann again.
        #expect(await early.next() == bob)
        var late = user.sessions().makeAsyncIterator()
        #expect(await late.next() == bob)
        try await user.logOut()
        #expect(await early.next() == .some(nil))
        #expect(await late.next() == .some(nil))
        #expect(await slow.next() == .some(nil))
    }

    @Test("A stream of the sessions hears when the server refuses to renew the token")
    func sessionsEnd() async throws {
        _ = try await user.logIn(phone: "13800000000", password: "right")
        var sessions = user.sessions().makeAsyncIterator()
        #expect(await sessions.next()??.name == "Ann")
        renewal.update { $0 = .json("{}", statusCode: 401) }
        await #expect(throws: APIError.self) { try await network.sendRequest(Request()) }
        #expect(await sessions.next() == .some(nil))
    }

    @Test("When the app becomes active, a stream of the sessions hears what another process has changed")
    func otherProcess() async throws {
        var sessions = user.sessions().makeAsyncIterator()
        #expect(await sessions.next() == .some(nil))
        _ = try SavedSession(in: storage).replace(with: SignedSession(id: "7", name: "Ann", token: "t"))
        try await UserModule().handle(.active, in: center)
        #expect(await sessions.next()??.name == "Ann")
    }

    @Test("The streams of the sessions end with User", .timeLimit(.minutes(10)))
    func streamsEnd() async throws {
        let stream = try UserService(center: center).sessions()
        #expect(await stream.reduce(into: []) { $0.append($1) } == [nil])
    }

    @Test("Of sessions that change at the same time, a stream gets the newest last", .timeLimit(.minutes(10)))
    func racing() async throws {
        let changing = Recorded<UserSession?>(nil)
        let streams = SessionStreams { changing.value }
        let stream = streams.stream()
        await withTaskGroup { group in
            for number in 1...200 {
                group.addTask {
                    changing.update { $0 = UserSession(id: "\(number)", name: "") }
                    streams.send()
                    _ = streams.stream()
                }
            }
        }
        var sessions = stream.makeAsyncIterator()
        #expect(await sessions.next() == changing.value)
    }

    @Test("User works without a notification center")
    func noNotifications() async throws {
        let next = ApiCenter()
        next.register(APIService.self) { [network] in network }
        next.register(Storage.self) { .inMemory() }
        UserModule().register(in: next)
        let user = try next.requireApi(type: UserApiProtocol.self)
        _ = try await user.logIn(phone: "13800000000", password: "right")
        try await user.logOut()
        #expect(user.session == nil)
    }

    @Test("User refuses a wrong password and keeps the current session")
    func wrongPassword() async throws {
        let session = try await user.logIn(phone: "13800000000", password: "right")
        await #expect(throws: UserApiError.wrongCredentials) {
            try await user.logIn(phone: "13800000000", password: "wrong")
        }
        #expect(user.session == session)
    }

    @Test(
        "User refuses a malformed phone number",
        arguments: ["", "1380000000", "1380000000a", "138000000000"])
    func badPhone(phone: String) async {
        await #expect(throws: UserApiError.badPhone(phone)) {
            try await user.logIn(phone: phone, password: "right")
        }
    }

    @Test("A log-in fails as unreachable while the network client has no server")
    func notInitialised() async {
        network.config.update { $0.baseURL = nil }
        let error = await #expect(throws: UserApiError.self) {
            try await user.logIn(phone: "13800000000", password: "right")
        }
        guard case .unreachable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
