import APIService
import ApiCenter
import ErrorCode
import HomeApi
import TransitRequests

/// Home's IMP: a struct, created on every lookup.
struct HomeService: HomeApiProtocol {
    private weak let center: ApiCenter?

    init(center: ApiCenter) { self.center = center }

    func banner() async throws(HomeApiError) -> HomeBanner {
        guard let network = center?.api(type: APIService.self) else {
            throw .noBanner(ErrorCode.notInitialised.message)
        }
        do {
            let answer = try await network.ask(HomeBannerRequest())
            return HomeBanner(
                title: answer.payload.title, link: answer.payload.link, isCached: answer.isCached)
        } catch {
            throw .noBanner(error.description)
        }
    }
}
