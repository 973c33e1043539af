import APIService
import ApiCenter
import Foundation
import Lifecycle
import Storage
import UserApi

/// Registers User. The package's only public declaration.
public struct UserModule: Module {
    public let version = "1.1.1"

    public init() {}

    public func register(in center: ApiCenter) throws {
        let network = try center.requireApi(type: APIService.self)
        // Without one, nobody in this app listens.
        let notifications = center.api(type: NotificationCenter.self)
        let saved = try center.requireApi(type: Storage.self)
            .document("user", version: 1, default: UserService.Saved())
        center.registerApi(
            type: UserApiProtocol.self,
            impBuilder: once {
                UserService(center: $0, network: network, notifications: notifications, saved: saved)
            })
    }
}
