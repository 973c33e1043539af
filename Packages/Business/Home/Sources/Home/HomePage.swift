import ApiCenter
import HomeApi
import Mediator
import Pages
import RideApi
import UserApi
import WebViewActions

/// The first page: the banner of the day, and the ways to the other modules' pages.
struct HomePage: Page {
    let center: ApiCenter
    let title = "Home"

    func contents() async throws -> [PageContent] {
        let contents = await HomeContents(from: center)
        return [
            .text(contents.greeting),
            .rows([
                row(of: contents.banner),
                PageRow("Ride", detail: "Your code for the gates", opens: RideRoute.main),
                PageRow(contents.accountTitle, opens: UserRoute.main),
            ]),
        ] + (contents.menu.isEmpty ? [] : [.rows(contents.menu.map { PageRow($0.title, opens: $0.route) })])
    }

    private func row(of banner: Result<HomeBanner, any Error>) -> PageRow {
        switch banner {
        case .success(let banner): PageRow(banner.title, detail: "News", .action("banner", row: banner.link))
        case .failure(let error): PageRow("There is no news today.", detail: failure(for: error).sentence)
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
