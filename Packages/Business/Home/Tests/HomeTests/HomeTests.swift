import APIService
import APIServiceTesting
import ApiCenter
import Foundation
import Home
import HomeApi
import Mediator
import SDKManagerApi
import Testing

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

@Suite("Home")
struct HomeTests {
    let center = ApiCenter()
    let mediator = Mediator()

    private func home(_ answer: StubAPIClient.Answer) throws -> (any HomeApiProtocol, StubAPIClient) {
        let client = StubAPIClient { _ in answer }
        let config = APIConfig()
        // No limit on time: the machine may be busy.
        config.update { $0.timeout = nil }
        config.cacheTool = CacheTool(
            folder: FileManager.default.temporaryDirectory.appending(path: UUID().uuidString))
        center.registerApi(type: APIService.self) { APIService(client: client, config: config) }
        center.registerApi(type: Mediator.self) { [mediator] in mediator }
        center.registerApi(type: SDKManagerApiProtocol.self) {
            SDKManager(
                configuration: SDKConfiguration(appID: "a", baseURL: url("https://transit.example")))
        }
        try HomeModule().register(in: center)
        return (try center.requireApi(type: HomeApiProtocol.self), client)
    }

    private let good = StubAPIClient.Answer.json(
        #"{"code": 0, "desc": "", "data": {"title": "New line", "link": "transit.example/line"}}"#)

    @Test("has the banner from the server, and the next time from the cache")
    func banner() async throws {
        let (home, client) = try home(good)
        #expect(
            try await home.banner()
                == HomeBanner(title: "New line", link: "transit.example/line", isCached: false))
        #expect(try await home.banner().isCached)
        #expect(client.requests.map(\.url) == [URL(string: "https://transit.example/home/banner")])
    }

    @Test("says why there is no banner")
    func noBanner() async throws {
        let (home, _) = try home(.json("no", statusCode: 503))
        let error = await #expect(throws: HomeApiError.self) { try await home.banner() }
        #expect(error == .noBanner("The server cannot answer now; please try again later (status 503)."))
        center.replaceApi(type: SDKManagerApiProtocol.self) { SDKManager(configuration: nil) }
        await #expect(throws: HomeApiError.notInitialised) { try await home.banner() }
    }

    @Test("opens a banner in the web container, which it knows by the facade alone")
    func opens() async throws {
        let (home, _) = try home(good)
        let banner = HomeBanner(title: "", link: "a.example", isCached: false)
        let error = #expect(throws: HomeApiError.self) { try home.open(banner) }
        guard case .noPage = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        try mediator.install(actions: [
            "hybridWebView": ["jsFetchHybridWebViewController": { ["shown": $0["url"] as? String ?? ""] }]
        ])
        #expect(try home.open(banner) == ["shown": "https://a.example"])
    }

    @Test("answers its route, to calls from outside too")
    func route() throws {
        let module = HomeModule(), routes = module.routes(in: center)
        #expect(module.remoteRoutes == [HomeRoute.main])
        #expect(try routes[HomeRoute.main]?([:]) as? [String: String] == ["page": "HomeVC"])
    }
}
