import APIService
import APIServiceTesting
import ApiCenter
import Foundation
import SDKManagerApi
import Storage
import Testing
import User
import UserApi

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private struct SDKManager: SDKManagerApiProtocol {
    let configuration: SDKConfiguration?
    func initialise(_: SDKConfiguration, jump: @Sendable (SDKStart) -> Void) {}
    func moreMenu() -> [SDKMenuItem] { [] }
    func page(of _: SDKMenuItem) -> [String: String]? { nil }
}

/// A URL that is one.
private func url(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("\(text) is no URL") }
    return url
}

@Suite("User")
struct UserTests {
    let center = ApiCenter()
    let storage = Storage.inMemory()
    let user: any UserApiProtocol

    init() throws {
        let client = StubAPIClient { request in
            let body = request.httpBody.map { String(decoding: $0, as: UTF8.self) } ?? ""
            guard request.url?.path() == "/user/login", request.httpMethod == "POST" else {
                return .json("{}", statusCode: 404)
            }
            return body == #"{"password":"right","phone":"13800000000"}"#
                ? .json(#"{"code": 0, "desc": "", "data": {"id": "7", "name": "Ann", "token": "t"}}"#)
                : .json(#"{"code": 1002, "desc": "no"}"#)
        }
        let network = APIService(client: client, config: APIConfig())
        // No limit on time: the machine may be busy.
        network.config.update { $0.timeout = nil }
        center.registerApi(type: APIService.self) { network }
        center.registerApi(type: Storage.self) { [storage] in storage }
        center.registerApi(type: SDKManagerApiProtocol.self) {
            SDKManager(
                configuration: SDKConfiguration(appID: "a", baseURL: url("https://transit.example")))
        }
        try UserModule().register(in: center)
        user = try center.requireApi(type: UserApiProtocol.self)
    }

    @Test("logs in, and everybody sees the session")
    func logsIn() async throws {
        #expect(user.session == nil)
        let session = try await user.logIn(phone: "13800000000", password: "right")
        #expect(session == UserSession(id: "7", name: "Ann", token: "t"))
        #expect(center.api(type: UserApiProtocol.self)?.session == session)
    }

    @Test("stays logged in over a restart, until logged out")
    func restart() async throws {
        _ = try await user.logIn(phone: "13800000000", password: "right")
        let next = ApiCenter()
        next.registerApi(type: APIService.self) { APIService(client: StubAPIClient { _ in .json("") }) }
        next.registerApi(type: Storage.self) { [storage] in storage }
        try UserModule().register(in: next)
        #expect(next.api(type: UserApiProtocol.self)?.session?.name == "Ann")
        try user.logOut()
        #expect(next.api(type: UserApiProtocol.self)?.session == nil)
        try user.logOut()
    }

    @Test("refuses a wrong password, and keeps whoever is logged in")
    func wrongPassword() async throws {
        let session = try await user.logIn(phone: "13800000000", password: "right")
        await #expect(throws: UserApiError.wrongCredentials) {
            try await user.logIn(phone: "13800000000", password: "wrong")
        }
        #expect(user.session == session)
    }

    @Test(
        "does not ask the server for a number that is none",
        arguments: ["", "1380000000", "1380000000a", "138000000000"])
    func badPhone(phone: String) async {
        await #expect(throws: UserApiError.badPhone(phone)) {
            try await user.logIn(phone: phone, password: "right")
        }
    }

    @Test("says so when the SDK is not set up")
    func notInitialised() async {
        center.replaceApi(type: SDKManagerApiProtocol.self) { SDKManager(configuration: nil) }
        let error = await #expect(throws: UserApiError.self) {
            try await user.logIn(phone: "13800000000", password: "right")
        }
        guard case .unreachable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
