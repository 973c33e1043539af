import ApiCenter
import HomeApi
import Lifecycle

/// Registers Home. The package's only public declaration.
public struct HomeModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.registerApi(type: HomeApiProtocol.self, impBuilder: once { HomeService() })
    }
}
