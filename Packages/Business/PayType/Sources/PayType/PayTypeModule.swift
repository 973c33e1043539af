import ApiCenter
import Lifecycle
import PayTypeApi

/// Registers PayType. The package's only public declaration.
public struct PayTypeModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.registerApi(type: PayTypeApiProtocol.self, impBuilder: once { PayTypeService() })
    }
}
