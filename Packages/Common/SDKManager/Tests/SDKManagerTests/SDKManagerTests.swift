import APIService
import APIServiceTesting
import ApiCenter
import Foundation
import JourneyApi
import LoggerApi
import LoggerApiFakes
import PayTypeApi
import Routes
import SDKManager
import SDKManagerApi
import Testing
import UserApi
import UserApiFakes

/// Creates a URL from a string that is known to be valid.
private func url(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("\(text) is not a valid URL") }
    return url
}

@Suite("SDKManager")
struct SDKManagerTests {
    let center = ApiCenter()
    let routes = Routes()
    let client = StubAPIClient { _ in .text("") }
    let network: APIService
    let manager: any SDKManagerApiProtocol
    let good = SDKConfiguration(appID: "metro.demo-1", baseURL: url("https://transit.example:8443"))

    init() throws {
        network = APIService(client: client, config: .forTests())
        center.register(APIService.self) { [network] in network }
        center.register(Routes.self) { [routes] in routes }
        SDKManagerModule().register(in: center)
        manager = try center.requireApi(type: SDKManagerApiProtocol.self)
    }

    @Test("Initialising the SDK calls the injected closure once, with the login state")
    func jump() throws {
        let starts = Recorded<[SDKStart]>([]), logger = FakeLogger()
        center.register(LoggerApiProtocol.self) { logger }
        try manager.initialise(good) { start in starts.update { $0.append(start) } }
        center.register(UserApiProtocol.self) { FakeUser("Ann") }
        try manager.initialise(good) { start in starts.update { $0.append(start) } }
        #expect(starts.value == [.loggedOut, .loggedIn(name: "Ann")])
        #expect(logger.recent(limit: 1) == ["info The SDK is set up for metro.demo-1"])
    }

    @Test("Without a network client, the app has no SDKManager, rather than one that configures nothing")
    func noNetwork() throws {
        let center = ApiCenter()
        center.register(Routes.self) { [routes] in routes }
        SDKManagerModule().register(in: center)
        let error = #expect(throws: ApiError.self) { try center.requireApi(type: SDKManagerApiProtocol.self) }
        #expect((error?.cause as? ApiError)?.api == "APIService.APIService")
    }

    @Test("Initialising the SDK gives the network client the server and the app's identifier")
    func requests() async throws {
        struct Request: APIRequest {
            typealias Response = Data
            let path = "/a"
        }
        await #expect(throws: APIError.self) { try await network.sendRequest(Request()) }
        for id in ["metro.first", "metro.second"] {
            try manager.initialise(SDKConfiguration(appID: id, baseURL: good.baseURL)) { _ in }
            _ = try await network.sendRequest(Request())
        }
        #expect(
            client.requests.map(\.url) == [
                url("https://transit.example:8443/a"), url("https://transit.example:8443/a"),
            ])
        #expect(
            client.requests.map { $0.value(forHTTPHeaderField: "X-App") } == ["metro.first", "metro.second"])
    }

    @Test(
        "SDKManager refuses an invalid configuration and changes nothing",
        arguments: [
            ("", "https://a.example", "appID"), ("a b", "https://a.example", "appID"),
            ("a", "a.example", "baseURL"), ("a", "http://a.example", "baseURL"),
            ("a", "https://a.example/path", "baseURL"), ("a", "https://me@a.example", "baseURL"),
            ("a", "https://a.example?b", "baseURL"), ("a", "https://a.example#b", "baseURL"),
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
        #expect(network.config.settings.baseURL == nil && network.config.settings.accessories.isEmpty)
    }

    @Test(
        "SDKManager accepts an http URL for a server on this machine",
        arguments: ["http://127.0.0.1:8080", "http://localhost"])
    func loopback(baseURL: String) throws {
        try manager.initialise(SDKConfiguration(appID: "a", baseURL: #require(URL(string: baseURL)))) { _ in }
    }

    @Test("SDKManager accepts a URL that is relative to the URL of a server")
    func relative() throws {
        let root = try #require(URL(string: "/", relativeTo: url("https://transit.example")))
        try manager.initialise(SDKConfiguration(appID: "a", baseURL: root)) { _ in }
    }

    @Test("The menu lists only pages that are in the app")
    func menu() throws {
        #expect(manager.moreMenu().isEmpty)
        try routes.declareRoutes([PayTypeRoute.main], module: "PayType")
        try routes.install([.route(JourneyRoute.main) { _ in "a page" }])
        let item = SDKMenuItem(title: "My journeys", route: JourneyRoute.main)
        #expect(manager.moreMenu() == [item])
    }
}
