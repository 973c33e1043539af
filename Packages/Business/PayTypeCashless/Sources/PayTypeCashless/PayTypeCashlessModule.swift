import ApiCenter
import Lifecycle
import Links
import PayTypeApi

/// Registers PayTypeCashless as the implementation of PayType's Api. The package's only public declaration.
public struct PayTypeCashlessModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(PayTypeApiProtocol.self, scope: .once) { try PayTypeCashlessService(center: $0) }
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
