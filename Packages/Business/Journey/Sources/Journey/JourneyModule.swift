import ApiCenter
import JourneyApi
import Lifecycle

/// Registers Journey. The package's only public declaration.
public struct JourneyModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.registerApi(type: JourneyApiProtocol.self, impBuilder: once { JourneyService() })
    }
}
