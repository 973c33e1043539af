import ApiCenter
import HomeApi
import Mediator
import Pages
import RideApi
import SDKManagerApi
import UserApi
import WebViewActions

/// The first page: the banner of the day, and the ways to the other modules' pages.
struct HomePage: Page {
    let center: ApiCenter
    let title = "Home"

    func contents() async throws -> [PageContent] {
        let banner = await banner()
        // Read after the server has answered, because the passenger may have logged out meanwhile.
        let passenger = center.api(type: UserApiProtocol.self)?.session?.name
        // The shared menu leaves out the pages of modules that are not in the app.
        let menu = center.api(type: SDKManagerApiProtocol.self)?.moreMenu() ?? []
        return [
            .text(passenger.map { "Good day, \($0)." } ?? "Welcome to the metro."),
            .rows([
                banner, PageRow("Ride", detail: "Your code for the gates", opens: RideRoute.main),
                PageRow(passenger == nil ? "Log in" : "Your account", opens: UserRoute.main),
            ]),
        ] + (menu.isEmpty ? [] : [.rows(menu.map { PageRow($0.title, opens: $0.route) })])
    }

    private func banner() async -> PageRow {
        do {
            let banner = try await center.requireApi(type: HomeApiProtocol.self).banner()
            return PageRow(banner.title, detail: "News", .action("banner", row: banner.link))
        } catch {
            return PageRow("There is no news today.", detail: failure(for: error).sentence)
        }
    }

    func perform(_ tap: PageTap) async throws -> PageStep {
        guard tap.action == "banner" else { throw tap.unknownAction }
        // The row may have been changed on its way, so the link comes from the server.
        let banner = try await center.requireApi(type: HomeApiProtocol.self).banner()
        return .show(try center.requireApi(type: Mediator.self).webviewViewController(url: banner.link))
    }

    func failure(for error: any Error) -> PageError {
        switch error {
        case HomeApiError.noBanner(let why): PageError(why)
        case let error as MediatorError: PageError("This app cannot show web pages.", reason: "\(error)")
        default: .from(error)
        }
    }
}
