import ApiCenter
import Lifecycle
import RideApi

/// Registers Ride. The package's only public declaration.
public struct RideModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.registerApi(type: RideApiProtocol.self, impBuilder: once { RideService() })
    }
}
