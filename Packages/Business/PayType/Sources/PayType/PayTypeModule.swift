import ApiCenter
import Foundation
import Lifecycle
import PayTypeApi
import Storage
import URLGrammar

/// Registers PayType. The package's only public declaration.
public struct PayTypeModule: Module {
    public let version = "1.0.3"

    public let remoteRoutes: Set = [PayTypeRoute.main]

    public init() {}

    public func register(in center: ApiCenter) throws {
        let notifications = try center.requireApi(type: NotificationCenter.self)
        let saved = try center.requireApi(type: Storage.self)
            .document("wallets", version: 1, default: PayTypeService.Saved())
        center.registerApi(
            type: PayTypeApiProtocol.self,
            impBuilder: once { PayTypeService(center: $0, notifications: notifications, saved: saved) })
    }

    public func routes(in center: ApiCenter) -> [String: RouteHandler] {
        [
            PayTypeRoute.main: { _ in ["page": "PayTypeVC"] },
            PayTypeRoute.select: { parameters in
                let payType = try center.requireApi(type: PayTypeApiProtocol.self)
                try payType.select(Parameters(parameters).required("id", as: String.self))
                return payType.selected?.name
            },
        ]
    }
}
