import APIService
import ApiCenter
import Foundation
import Lifecycle
import Links
import PayTypeApi
import Storage

/// Registers PayTypeCashless as the implementation of PayType's Api. The package's only public declaration.
public struct PayTypeCashlessModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) throws {
        let notifications = try center.requireApi(type: NotificationCenter.self)
        let saved = try center.requireApi(type: Storage.self)
            .document("phone-payment", version: 1, default: String?.none)
        let network = try center.requireApi(type: APIService.self)
        center.register(PayTypeApiProtocol.self, scope: .once) { _ in
            PayTypeCashlessService(network: network, notifications: notifications, selected: saved)
        }
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(PayTypeRoute.main, from: .outside, on: MainActor.shared) { [weak center] _ in
                center.map { PayTypeCashlessPage(center: $0) }
            },
            .route(PayTypeRoute.select) { [weak center] parameters in
                let payType = try center?.requireApi(type: PayTypeApiProtocol.self)
                try await payType?.select(parameters.required("id", as: String.self))
                return payType?.selected?.name
            },
        ]
    }
}
