import APIService
import ApiCenter
import Lifecycle
import Routes
import SDKManagerApi

/// Registers SDKManager. The package's only public declaration.
public struct SDKManagerModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) throws {
        let routes = try center.requireApi(type: Routes.self)
        let network = try center.requireApi(type: APIService.self)
        center.register(SDKManagerApiProtocol.self, scope: .once) {
            SDKManagerService(center: $0, routes: routes, network: network)
        }
    }
}
