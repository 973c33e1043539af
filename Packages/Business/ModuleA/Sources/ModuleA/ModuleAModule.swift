import ApiCenter
import Lifecycle
import ModuleAApi

/// Registers ModuleA. The package's only public declaration.
public struct ModuleAModule: Module {
    public let version = "2.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.registerApi(type: ModuleAApiProtocol.self) { ModuleAService(center: $0) }
    }
}
