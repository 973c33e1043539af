import ApiCenter
import HomeApi
import Mediator
import Pages
import Routes
import SDKManagerApi
import WebContainerApi
import WebViewActions

/// The steps that follow the ride: the banner, the "more" menu, and the three ways to a web page.
extension Day {
    func tapBanner() async {
        guard let home = center.api(type: HomeApiProtocol.self) else { return absent("Home") }
        let server = app.day.server.bannerSource
        do throws(HomeApiError) {
            let banner = try await home.banner()
            tell("\"\(banner.title)\", from \(banner.isCached ? "the cache" : server)")
            await show(named: "The banner") { try await app.mediator.webviewViewController(url: banner.link) }
        } catch {
            switch error {
            case .noBanner(let why): refuse("No banner from \(server): \(why)")
            }
        }
    }

    func tapMore() async {
        guard let sdk = center.api(type: SDKManagerApiProtocol.self) else { return absent("SDKManager") }
        let items = sdk.moreMenu()
        if items.isEmpty { tell("The menu is empty") }
        for item in items {
            await show(named: item.title) { try await app.page(at: PageAddress(item.route)) }
        }
    }

    /// Gets the same page from WebContainer through its route and its action, and what it shows through its Api.
    func threeWays() async {
        let url = "metro.example/terms"
        guard let api = center.api(type: WebContainerApiProtocol.self) else { return absent("WebContainer") }
        do {
            tell("by its Api: shows \"\(try api.page(for: url, backward: false).url)\"")
        } catch {
            refuse("by its Api: \(message(for: error))")
        }
        await show(named: "by its route") {
            try await app.routes.routeURL(
                WebContainerRoute.page, parameters: ["url": url], as: (any Page).self)
        }
        await show(named: "by its action") { try await app.mediator.webviewViewController(url: url) }
    }
}
