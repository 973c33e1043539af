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

}
