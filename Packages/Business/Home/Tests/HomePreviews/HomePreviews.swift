#if canImport(SwiftUI)
import ApiCenter
import Home
import HomeApi
import SwiftUI
import UserApi
import UserApiFakes

/// Home with a passenger, and with nobody and no news.
struct HomePreviews: PreviewProvider {
    static var previews: some View {
        homeScreen(
            in: center { center in
                center.register(UserApiProtocol.self, scope: .once) { FakeUser("ann") }
                center.register(HomeApiProtocol.self) { News() }
            })
        homeScreen(in: center { _ in })
    }

    private static func center(_ register: (ApiCenter) -> Void) -> ApiCenter {
        let center = ApiCenter()
        register(center)
        return center
    }
}

private struct News: HomeApiProtocol {
    func banner() throws(HomeApiError) -> HomeBanner {
        HomeBanner(title: "Trains run all night.", link: "https://metro.example/night", isCached: false)
    }
}
#endif
