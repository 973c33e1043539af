import APICache
import APIService
import APIServiceTesting
import ApiCenter
import ErrorCode
import Foundation
import Home
import HomeApi
import Links
import Mediator
import Pages
import RideApi
import Testing
import UserApi
import UserApiFakes

/// Creates a URL from a string that is known to be valid.
private func url(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("\(text) is not a valid URL") }
    return url
}

@Suite("Home")
struct HomeTests {
    let center = ApiCenter()
    let mediator = Mediator()
    private let date = Recorded(Date(timeIntervalSince1970: 0))

    /// Creates Home with a server that returns these responses in order and then repeats the last one.
    private func home(
        _ answers: StubAPIClient.Answer...
    ) throws -> (any HomeApiProtocol, StubAPIClient) {
        let rest = Recorded(answers)
        let client = StubAPIClient { _ in rest.update { $0.count > 1 ? $0.removeFirst() : $0[0] } }
        let config = APIConfig.forTests { [date] in
            $0.now = { date.value }
            $0.baseURL = url("https://transit.example")
        }
        config.cacheTool = CacheTool.inMemory()
        center.register(APIService.self) { APIService(client: client, config: config) }
        center.register(Mediator.self) { [mediator] in mediator }
        HomeModule().register(in: center)
        return (try center.requireApi(type: HomeApiProtocol.self), client)
    }

    private let good = StubAPIClient.Answer.json(
        #"{"code": 0, "desc": "", "data": {"title": "New line", "link": "transit.example/line"}}"#)

    @Test("Home returns the banner from the server the first time, and from the cache the second time")
    func banner() async throws {
        let (home, client) = try home(good)
        #expect(
            try await home.banner()
                == HomeBanner(title: "New line", link: "transit.example/line", isCached: false))
        #expect(try await home.banner().isCached)
        #expect(client.requests.map(\.url) == [URL(string: "https://transit.example/home/banner")])
    }

    @Test("Home's error explains why no banner is available")
    func noBanner() async throws {
        let (home, _) = try home(.json("no", statusCode: 503))
        let error = await #expect(throws: HomeApiError.self) { try await home.banner() }
        #expect(error == .noBanner("The server cannot answer now; please try again later (status 503)."))
        try center.requireApi(type: APIService.self).config.update { $0.baseURL = nil }
        await #expect(throws: HomeApiError.noBanner(ErrorCode.notInitialised.message)) {
            try await home.banner()
        }
    }

    @Test("Without a network client, the app has no Home")
    func noNetwork() {
        HomeModule().register(in: center)
        #expect(throws: ApiError.self) { try center.requireApi(type: HomeApiProtocol.self) }
    }

    @Test("Home does not cache a refusal from the server, and a refusal does not remove the cached banner")
    func refusal() async throws {
        let refusal = StubAPIClient.Answer.json(#"{"code": 1003, "desc": "no", "data": null}"#)
        let (home, _) = try home(refusal, good, refusal, .json("", statusCode: 503))
        await #expect(throws: HomeApiError.self) { try await home.banner() }
        #expect(try await home.banner().isCached == false)
        date.update { $0 += 60 }
        await #expect(throws: HomeApiError.self) { try await home.banner() }
        let banner = try await home.banner()
        #expect(banner.isCached && banner.title == "New line")
    }

    @Test("A tap on the banner shows the page of the web container, through the WebViewActions facade")
    func opens() async throws {
        _ = try home(good)
        let link = try #require(HomeModule().links(in: center).first(.route(HomeRoute.main)))
        let page = try #require(try await link.call() as? any Page)
        let error = try await #require(throws: (any Error).self) {
            _ = try await page.perform(PageTap("banner"))
        }
        #expect(await page.failure(for: error).sentence == "This app cannot show web pages.")
        try mediator.install([
            .action("hybridWebView", "jsFetchHybridWebViewController", on: MainActor.shared) {
                WebPage(title: $0["url"] as? String ?? "")
            }
        ])
        guard case .page(let shown) = try await page.perform(PageTap("banner")).place else {
            Issue.record("no page")
            return
        }
        #expect(await shown.title.hasPrefix("https://"))
    }

    private func page() async throws -> any Page {
        let link = try #require(HomeModule().links(in: center).first(.route(HomeRoute.main)))
        return try #require(try await link.call() as? any Page)
    }

    @Test("Home's page greets the passenger, and shows the banner")
    func contents() async throws {
        _ = try home(good)
        let page = try await page()
        let banner = PageRow("New line", detail: "News", .action("banner", row: "transit.example/line"))
        let ride = PageRow("Ride", detail: "Your code for the gates", opens: RideRoute.main)
        #expect(
            try await page.contents() == [
                .text("Welcome to the metro."),
                .rows([banner, ride, PageRow("Log in", opens: UserRoute.main)]),
            ])
        center.register(UserApiProtocol.self) { FakeUser("Ann") }
        #expect(
            try await page.contents() == [
                .text("Good day, Ann."),
                .rows([banner, ride, PageRow("Your account", opens: UserRoute.main)]),
            ])
        await #expect(throws: PageError.self) { try await page.perform(PageTap("other")) }
    }

    @Test("Home's page says why there is no banner")
    func contentsWithoutBanner() async throws {
        _ = try home(.json("no", statusCode: 503))
        guard case .rows(let rows) = try await page().contents()[1] else {
            Issue.record("no rows")
            return
        }
        let why = "The server cannot answer now; please try again later (status 503)."
        #expect(rows.first == PageRow("There is no news today.", detail: why))
    }

    @Test("Home's route returns its page and may be called from outside the app")
    func route() async throws {
        let main = try #require(HomeModule().links(in: center).first(.route(HomeRoute.main)))
        #expect(main.callers == .outside)
        let page = try #require(try await main.call() as? any Page)
        #expect(await page.title == "Home")
    }
}

private struct WebPage: Page {
    let title: String
    func contents() -> [PageContent] { [] }
}
