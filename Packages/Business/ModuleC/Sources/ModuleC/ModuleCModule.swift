import ApiCenter
import Lifecycle
import ModuleCApi

/// Registers ModuleC. The package's only public declaration.
public struct ModuleCModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(ModuleCApiProtocol.self, scope: .once) { ModuleCService(center: $0) }
    }
}
