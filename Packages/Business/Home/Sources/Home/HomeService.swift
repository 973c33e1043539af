import APIService
import ApiCenter
import HomeApi
import TransitRequests

/// Home's IMP: one object, shared by all callers.
final class HomeService: HomeApiProtocol {
    private let network: APIService

    /// - Throws: `ApiError`.
    init(center: ApiCenter) throws { network = try center.requireApi(type: APIService.self) }

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
