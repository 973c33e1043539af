import ApiCenter
import Lifecycle
import LoggerApi

/// Registers Logger. The package's only public declaration.
public struct LoggerModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.registerApi(type: LoggerApiProtocol.self, impBuilder: once { LoggerService() })
    }
}
