import ApiCenter
import Lifecycle
import SDKManagerApi

/// Registers SDKManager. The package's only public declaration.
public struct SDKManagerModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(SDKManagerApiProtocol.self, scope: .once) { try SDKManagerService(center: $0) }
    }
}
