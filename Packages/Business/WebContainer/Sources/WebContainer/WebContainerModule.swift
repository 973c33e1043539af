import ApiCenter
import Lifecycle
import WebContainerApi

/// Registers WebContainer. The package's only public declaration.
public struct WebContainerModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.registerApi(type: WebContainerApiProtocol.self, impBuilder: once { WebContainerService() })
    }
}
