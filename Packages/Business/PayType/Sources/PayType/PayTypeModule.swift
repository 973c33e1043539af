import ApiCenter
import Lifecycle
import Links
import PayTypeApi

/// Registers PayType. The package's only public declaration.
public struct PayTypeModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(PayTypeApiProtocol.self, scope: .once) { try PayTypeService(center: $0) }
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
