import ApiCenter
import GateApi
import Lifecycle

/// Registers Gate. The package's only public declaration.
public struct GateModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(GateApiProtocol.self, scope: .once) { try GateService(center: $0) }
    }
}
