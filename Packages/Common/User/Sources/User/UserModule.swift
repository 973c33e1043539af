import APIService
import ApiCenter
import Foundation
import Lifecycle
import Storage
import UserApi

/// Registers User. The package's only public declaration.
public struct UserModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) throws {
        let network = try center.requireApi(type: APIService.self)
        // The notification center is optional. Without one, no other module can observe the session.
        let notifications = center.api(type: NotificationCenter.self)
        let saved = try SavedSession(in: center.requireApi(type: Storage.self))
        center.register(UserApiProtocol.self, scope: .once) {
            UserService(
                center: $0, network: network,
                removeResponses: { network.config.removeCachedResponses(of: $0) },
                notifications: notifications, saved: saved)
        }
    }
}
