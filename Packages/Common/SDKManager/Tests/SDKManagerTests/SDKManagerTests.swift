import APIServiceTesting
import ApiCenter
import Foundation
import JourneyApi
import PayTypeApi
import Routes
import SDKManager
import SDKManagerApi
import Testing
import UserApi

private struct User: UserApiProtocol {
    var session: UserSession?
    func logIn(phone: String, password: String) throws(UserApiError) -> UserSession {
        throw .wrongCredentials
    }
    func renewToken() {}
    func logOut() {}
}

/// Creates a URL from a string that is known to be valid.
private func url(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("\(text) is not a valid URL") }
    return url
}

@Suite("SDKManager")
struct SDKManagerTests {
    let center = ApiCenter()
    let routes = Routes()
    let manager: any SDKManagerApiProtocol
    let good = SDKConfiguration(appID: "metro.demo-1", baseURL: url("https://transit.example:8443"))

    init() throws {
        center.register(Routes.self) { [routes] in routes }
        try SDKManagerModule().register(in: center)
        manager = try center.requireApi(type: SDKManagerApiProtocol.self)
    }

    @Test("Initialising the SDK calls the injected closure once, with the login state")
    func jump() throws {
        let starts = Recorded<[SDKStart]>([])
        try manager.initialise(good) { start in starts.update { $0.append(start) } }
        center.register(UserApiProtocol.self) {
            User(session: .init(id: "7", name: "Ann", token: "t"))
        }
        try manager.initialise(good) { start in starts.update { $0.append(start) } }
        #expect(starts.value == [.loggedOut, .loggedIn(name: "Ann")])
        #expect(manager.configuration == good)
    }

    @Test(
        "SDKManager refuses an invalid configuration and changes nothing",
        arguments: [
            ("", "https://a.example", "appID"), ("a b", "https://a.example", "appID"),
            ("a", "a.example", "baseURL"), ("a", "http://a.example", "baseURL"),
            ("a", "https://a.example/path", "baseURL"), ("a", "https://me@a.example", "baseURL"),
            ("a", "file:///", "baseURL"), ("a", "ftp://localhost", "baseURL"),
        ])
    func refuses(appID: String, baseURL: String, field: String) {
        let error = #expect(throws: SDKManagerApiError.self) {
            try manager.initialise(SDKConfiguration(appID: appID, baseURL: #require(URL(string: baseURL)))) {
                _ in
                Issue.record("the jump closure was called")
            }
        }
        guard case .invalid(field, _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(manager.configuration == nil)
    }

    @Test(
        "SDKManager accepts an http URL for a server on this machine",
        arguments: ["http://127.0.0.1:8080", "http://localhost"])
    func loopback(baseURL: String) throws {
        try manager.initialise(SDKConfiguration(appID: "a", baseURL: #require(URL(string: baseURL)))) { _ in }
    }

    @Test("The menu lists only pages that are in the app, and opens them by route")
    func menu() throws {
        #expect(manager.moreMenu().isEmpty)
        try routes.declareRoutes([PayTypeRoute.main], module: "PayType")
        try routes.install([.route(JourneyRoute.main) { _ in ["page": "JourneyVC"] }])
        let item = SDKMenuItem(title: "My journeys", route: JourneyRoute.main)
        #expect(manager.moreMenu() == [item])
        #expect(manager.page(of: item) == ["page": "JourneyVC"])
        #expect(manager.page(of: SDKMenuItem(title: "?", route: PayTypeRoute.main)) == nil)
    }
}
