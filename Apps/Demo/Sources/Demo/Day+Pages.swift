import ApiCenter
import HomeApi
import Mediator
import Routes
import SDKManagerApi
import WebContainerApi
import WebViewActions

/// The steps that follow the ride: the banner, the "more" menu, and the three ways to a web page.
extension Day {
    func tapBanner() async {
        guard let home = center.api(type: HomeApiProtocol.self) else { return absent("Home") }
        let server = app.day.server.bannerSource
        do {
            let banner = try await home.banner()
            tell("\"\(banner.title)\", from \(banner.isCached ? "the cache" : server)")
            let page = try home.open(banner)
            tell("Shows \(page["page"] ?? "a page") with \(page["url"] ?? banner.link)")
        } catch .noBanner(let why) {
            refuse("No banner from \(server): \(why)")
        } catch {
            refuse(error.message)
        }
    }

    func tapMore() {
        guard let sdk = center.api(type: SDKManagerApiProtocol.self) else { return absent("SDKManager") }
        let items = sdk.moreMenu()
        if items.isEmpty { tell("The menu is empty") }
        for item in items {
            if let page = sdk.page(of: item) {
                tell("\(item.title): shows \(page["page"] ?? item.route)")
            } else {
                refuse("\(item.title): no page")
            }
        }
    }

    /// Gets the same page from WebContainer through its Api, its route and its action.
    func threeWays() {
        let url = "metro.example/terms"
        guard let api = center.api(type: WebContainerApiProtocol.self) else { return absent("WebContainer") }
        tell("by its Api") { try api.page(for: url, backward: false).fields }
        tell("by its route") {
            try app.routes.routeURL(WebContainerRoute.page, parameters: ["url": url], as: Page.self)
        }
        tell("by its action") { try app.mediator.webviewViewController(url: url) }
    }

    private func tell(_ way: String, _ find: () throws -> Page) {
        do {
            let page = try find()
            tell("\(way): \(page["page"] ?? "a page") shows \(page["url"] ?? "")")
        } catch {
            refuse("\(way): \(message(for: error))")
        }
    }
}

extension WebPage {
    fileprivate var fields: Page { ["page": container, "url": url] }
}
