import APIService
import ApiCenter
import Foundation
import Lifecycle
import Links
import PayTypeApi
import Storage

/// Registers PayType. The package's only public declaration.
public struct PayTypeModule: Module, LinkAnswering {
    public let version = "1.0.0"

    /// A wallet in a file of version 1.
    private struct Version1: Decodable {}

    public init() {}

    public func register(in center: ApiCenter) throws {
        let notifications = try center.requireApi(type: NotificationCenter.self)
        let saved = try center.requireApi(type: Storage.self)
            .document(
                "wallets", version: 2, default: PayTypeService.Saved(),
                // Version 1 kept the balances themselves, which the operator's server keeps now.
                migrations: [Migration(from: 1) { (_: [String: Version1]) in [:] }])
        let network = try center.requireApi(type: APIService.self)
        center.register(PayTypeApiProtocol.self, scope: .once) {
            PayTypeService(center: $0, network: network, notifications: notifications, saved: saved)
        }
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(PayTypeRoute.main, from: .outside, on: MainActor.shared) { [weak center] _ in
                center.map { PayTypePage(center: $0) }
            },
            .route(PayTypeRoute.select) { [weak center] parameters in
                let payType = try center?.requireApi(type: PayTypeApiProtocol.self)
                try await payType?.select(parameters.required("id", as: String.self))
                return payType?.selected?.name
            },
        ]
    }
}
