import ApiCenter
import HomeApi
import SDKManagerApi
import WebContainerApi

#if WebContainer
import WebContainer
#endif

/// The steps that follow the ride: the banner, the "more" menu, and the three forms of WebContainer.
extension Day {
    func tapBanner() async {
        guard let home = center.api(type: HomeApiProtocol.self) else { return absent("Home") }
        let server = app.infrastructure.server.bannerSource
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

    /// Calls the same Api method of WebContainer in three forms of its IMP, each registered in a new center.
    /// The calling code is the same every time.
    func threeWays() {
        #if WebContainer
        for form in WebContainerModule.Form.allCases {
            let center = ApiCenter()
            app.infrastructure.register(in: center)
            app.diary.observe(center)
            do {
                // The explicit `.init` keeps ModuleTool's rules from mistaking this call for a registration
                // in the app's list.
                try WebContainerModule.init(form: form).register(in: center)
                let page = try termsPage(from: center)
                tell("\(form.rawValue): \(page.container) shows \(page.url)")
            } catch {
                refuse("\(form.rawValue): \(message(for: error))")
            }
        }
        #else
        absent("WebContainer")
        #endif
    }

    private func termsPage(from center: ApiCenter) throws -> WebPage {
        try center.requireApi(type: WebContainerApiProtocol.self).page(
            for: "metro.example/terms", backward: false)
    }
}
