import APIService
import APIServiceTesting
import ApiCenter
import Foundation
import Storage
import Testing
import UserApi

@testable import User

/// This app and an extension share a folder, one after the other: the app is suspended while the extension uses it.
@Suite("User in an app group")
struct AppGroupTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "user-\(UUID().uuidString)", directoryHint: .isDirectory)
    private let secrets = InMemorySecrets()
    private let storage: Storage
    private let center = ApiCenter()
    private let notifications = NotificationCenter()
    private let cache = EmptyCache()
    private let service: UserService
    private let client = StubAPIClient { request in
        request.url?.path() == "/user/token"
            ? .json("{}", statusCode: 401)
            : .json(#"{"code": 0, "desc": "", "data": {"id": "7", "name": "Ann", "token": "t"}}"#)
    }

    /// Ann logs in, and the app is suspended.
    init() async throws {
        storage = try Storage(folder: folder, secrets: secrets)
        let server = URL(string: "https://transit.example")
        let network = APIService(
            client: client,
            config: .forTests {
                $0.baseURL = server
                // The app still knows Ann's session when it sends a request.
                $0.accessories = [APITokenAccessory(user: { "7" }, token: { nil })]
            })
        network.config.cacheTool = cache
        center.register(APIService.self) { network }
        center.register(Storage.self) { [storage] in storage }
        center.register(NotificationCenter.self) { [notifications] in notifications }
        service = try UserService(center: center)
        _ = try await service.logIn(phone: "13800000000", password: "right")
        await storage.suspend()
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Replaces or ends the session, as the extension does.
    private func inExtension(_ session: SignedSession?) throws {
        _ = try SavedSession(in: Storage(folder: folder, secrets: secrets)).replace(with: session)
    }

    /// Reads the session, as the extension does.
    private var saved: SignedSession? {
        get throws { try SavedSession(in: Storage(folder: folder, secrets: secrets)).session }
    }

    private static let others = [
        SignedSession(id: "8", name: "Bob", token: "u"), SignedSession(id: "7", name: "Ann", token: "next"),
        nil,
    ]

    @Test("A renewed token does not replace the session that the extension has saved", arguments: others)
    func renewal(other: SignedSession?) async throws {
        defer { remove() }
        try inExtension(other)
        await #expect(throws: UserApiError.self) { try await service.store("new", of: "7") }
        #expect(try saved == other)
    }

    @Test("A refused renewal does not end the session that the extension has saved", arguments: others)
    func refusal(other: SignedSession?) async throws {
        defer { remove() }
        try inExtension(other)
        await #expect(throws: UserApiError.self) { try await service.newToken(of: "7") }
        #expect(try saved == other)
    }

    @Test("A log-out removes the responses of the app's passenger and of the extension's")
    func logOut() async throws {
        defer { remove() }
        try inExtension(Self.others[0])
        try await service.logOut()
        #expect(try saved == nil)
        #expect(Set(cache.removed.value) == ["7", "8"])
    }

    @Test(
        "When the app becomes active, it ends the session that the extension has replaced", arguments: others)
    func active(other: SignedSession?) async throws {
        defer { remove() }
        let ends = Recorded(0)
        let observer = notifications.addObserver(
            forName: Notification.Name(UserNotification.sessionEnded), object: nil, queue: nil
        ) { _ in ends.update { $0 += 1 } }
        defer { notifications.removeObserver(observer) }
        try inExtension(other)
        try storage.resume()
        for _ in 0..<2 { service.noticeOtherProcesses() }
        // Ann's responses and codes stay valid if only her token is new.
        #expect(cache.removed.value == (other?.id == "7" ? [] : ["7"]))
        #expect(ends.value == (other?.id == "7" ? 0 : 1))
    }
}
