import ApiCenter
import Lifecycle
import Links
import PayTypeApi

/// Registers PayTypeCashless as the implementation of PayType's Api. The package's only public declaration.
public struct PayTypeCashlessModule: Module, LinkAnswering {
    public let version = "1.0.0"

    /// The object behind the Api, which opens its files when the module prepares.
    private let service = PayTypeCashlessService()

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(PayTypeApiProtocol.self) { [service] in service }
    }

    public func prepare(in center: ApiCenter) async throws {
        try service.open(in: center)
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
