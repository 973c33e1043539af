import APIService
import ApiCenter
import JourneyApi
import Locking
import LoggerApi
import PayTypeApi
import Routes
import SDKManagerApi
import UserApi

/// SDKManager's IMP: one object, shared by all callers.
///
/// SDKManager is a layer below the business modules and calls none of their Apis. It reaches the
/// business modules only through the closure that the app injects and through routes.
final class SDKManagerService: SDKManagerApiProtocol {
    private unowned let center: ApiCenter
    private let network: APIService
    private let routes: Routes
    private let current = Locked<SDKConfiguration?>(nil)

    init(center: ApiCenter, network: APIService, routes: Routes) {
        (self.center, self.network, self.routes) = (center, network, routes)
    }

    var configuration: SDKConfiguration? { current.withLock { $0 } }

    func initialise(
        _ configuration: SDKConfiguration, jump: @Sendable (SDKStart) -> Void
    ) throws(SDKManagerApiError) {
        try configuration.check()
        // Each request looks up the session, because the token changes while the client stays the same.
        let session: @Sendable () -> UserSession? = { [weak center] in
            center?.api(type: UserApiProtocol.self)?.session
        }
        network.config.update { settings in
            settings.accessories = [
                APIHeaderAccessory(["X-App": configuration.appID]),
                APITokenAccessory(user: { session()?.id }, token: { session()?.token }),
            ]
        }
        current.withLock { $0 = configuration }
        center.api(type: LoggerApiProtocol.self)?.log(.info, "The SDK is set up for \(configuration.appID)")
        jump(session().map { .loggedIn(name: $0.name) } ?? .loggedOut)
    }

    func moreMenu() -> [SDKMenuItem] {
        [
            SDKMenuItem(title: "My journeys", route: JourneyRoute.main),
            SDKMenuItem(title: "Payment methods", route: PayTypeRoute.main),
        ].filter { routes.canRoute($0.route) }
    }

    func page(of item: SDKMenuItem) -> [String: String]? {
        routes.routeURL(item.route).value as? [String: String]
    }
}
