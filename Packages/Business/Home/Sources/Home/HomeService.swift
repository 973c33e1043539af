import APIService
import HomeApi
import Mediator
import TransitRequests
import WebViewActions

/// Home's IMP: a struct, created on every lookup.
struct HomeService: HomeApiProtocol {
    private let network: APIService
    private let mediator: Mediator

    init(network: APIService, mediator: Mediator) {
        (self.network, self.mediator) = (network, mediator)
    }

    func banner() async throws(HomeApiError) -> HomeBanner {
        do {
            let answer = try await network.ask(HomeBannerRequest())
            return HomeBanner(
                title: answer.payload.title, link: answer.payload.link, isCached: answer.isCached)
        } catch {
            throw .noBanner(error.description)
        }
    }

    func open(_ banner: HomeBanner) throws(HomeApiError) -> [String: String] {
        do {
            return try mediator.webviewViewController(url: banner.link)
        } catch let error as MediatorError where error.reason == .targetNotFound {
            throw .noPage("No module in this app shows web pages.")
        } catch {
            throw .noPage(String(describing: error))
        }
    }
}
