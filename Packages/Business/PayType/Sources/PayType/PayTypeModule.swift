import ApiCenter
import Foundation
import Lifecycle
import Links
import PayTypeApi
import Storage

/// Registers PayType. The package's only public declaration.
public struct PayTypeModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) throws {
        let notifications = try center.requireApi(type: NotificationCenter.self)
        let saved = try center.requireApi(type: Storage.self)
            .document("wallets", version: 1, default: PayTypeService.Saved())
        center.register(PayTypeApiProtocol.self, scope: .once) {
            PayTypeService(center: $0, notifications: notifications, saved: saved)
        }
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(PayTypeRoute.main, from: .outside) { _ in ["page": "PayTypeVC"] },
            .route(PayTypeRoute.select) { [weak center] parameters in
                let payType = try center?.requireApi(type: PayTypeApiProtocol.self)
                try payType?.select(parameters.required("id", as: String.self))
                return payType?.selected?.name
            },
        ]
    }
}
