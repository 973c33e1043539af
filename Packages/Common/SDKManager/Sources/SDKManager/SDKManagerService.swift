import APIService
import ApiCenter
import JourneyApi
import LoggerApi
import PayTypeApi
import Routes
import SDKManagerApi
import UserApi

/// SDKManager's IMP: one object, shared by all callers.
///
/// SDKManager is in a layer below the business modules and calls none of their Apis. It reaches the
/// business modules only through routes and the closure that the app injects.
final class SDKManagerService: SDKManagerApiProtocol {
    private weak let center: ApiCenter?
    private let network: APIService
    private let routes: Routes

    /// - Throws: `ApiError`.
    init(center: ApiCenter) throws {
        self.center = center
        network = try center.requireApi(type: APIService.self)
        routes = try center.requireApi(type: Routes.self)
    }

    func initialise(
        _ configuration: SDKConfiguration, jump: @Sendable (SDKStart) -> Void
    ) throws(SDKManagerApiError) {
        try configuration.check()
        network.config.update { settings in
            settings.baseURL = configuration.baseURL
            settings.accessories.removeAll { $0 is AppIDAccessory }
            // First, so that an accessory that signs the requests stays last.
            settings.accessories.insert(AppIDAccessory(appID: configuration.appID), at: 0)
        }
        center?.api(type: LoggerApiProtocol.self)?.log(.info, "The SDK is set up for \(configuration.appID)")
        let session = center?.api(type: UserApiProtocol.self)?.session
        jump(session.map { .loggedIn(name: $0.name) } ?? .loggedOut)
    }

    func moreMenu() -> [SDKMenuItem] {
        [
            SDKMenuItem(title: "My journeys", route: JourneyRoute.main),
            SDKMenuItem(title: "Payment methods", route: PayTypeRoute.main),
        ].filter { routes.canRoute($0.route) }
    }
}
