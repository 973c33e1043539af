import APIService
import ApiCenter
import HomeApi
import Mediator
import SDKManagerApi
import TransitRequests
import WebViewActions

/// Home's IMP: a struct, created on every lookup.
struct HomeService: HomeApiProtocol {
    private unowned let center: ApiCenter
    private let network: APIService
    private let mediator: Mediator

    init(center: ApiCenter, network: APIService, mediator: Mediator) {
        (self.center, self.network, self.mediator) = (center, network, mediator)
    }

    func banner() async throws(HomeApiError) -> HomeBanner {
        guard let configuration = center.api(type: SDKManagerApiProtocol.self)?.configuration else {
            throw .notInitialised
        }
        do {
            let answer = try await network.ask(HomeBannerRequest(baseURL: configuration.baseURL))
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
