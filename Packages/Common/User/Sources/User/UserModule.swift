import APIService
import ApiCenter
import Foundation
import Lifecycle
import Links
import Storage
import UserApi

/// Registers User. The package's only public declaration.
public struct UserModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) throws {
        let network = try center.requireApi(type: APIService.self)
        // The notification center is optional. Without one, no other module can observe the session.
        let notifications = center.api(type: NotificationCenter.self)
        let saved = try SavedSession(in: center.requireApi(type: Storage.self))
        let service = UserService(
            network: network, removeResponses: { network.config.removeCachedResponses(of: $0) },
            notifications: notifications, saved: saved)
        center.register(UserApiProtocol.self) { service }
        identifyRequests(of: network, by: service, saved)
    }

    /// Adds the passenger's token to each request, and renews it when the server rejects it. The token therefore never
    /// leaves this module except in requests (seed 4's `fetchToken`).
    private func identifyRequests(of network: APIService, by service: UserService, _ saved: SavedSession) {
        // The settings hold the service weakly, because it holds the network.
        let token = APITokenAccessory(user: { saved.session?.id }, token: { saved.session?.token })
        let refresh = APITokenRefresh { [weak service] in try await service?.renewToken() }
        network.config.update { settings in
            // First, so that an accessory that signs the requests stays last.
            settings.accessories.insert(token, at: 0)
            settings.tokenRefresh = refresh
        }
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(UserRoute.main, from: .outside, on: MainActor.shared) { [weak center] _ in
                center.map { LogInPage(center: $0) }
            }
        ]
    }
}
