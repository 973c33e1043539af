import ApiCenter
import Lifecycle
import ModuleBApi

/// Registers ModuleB. The package's only public declaration.
public struct ModuleBModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(ModuleBApiProtocol.self, scope: .once) { ModuleBService(center: $0) }
    }
}
