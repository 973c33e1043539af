import ApiCenter
import Lifecycle
import ServiceOpenApi

/// Registers ServiceOpen. The package's only public declaration.
public struct ServiceOpenModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.registerApi(type: ServiceOpenApiProtocol.self, impBuilder: once { ServiceOpenService() })
    }
}
