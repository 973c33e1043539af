import ApiCenter
import Lifecycle
import ModuleBApi

/// Registers ModuleB. The package's only public declaration.
public struct ModuleBModule: Module {
    public let version = "1.0.1"

    public init() {}

    public func register(in center: ApiCenter) {
        center.registerApi(type: ModuleBApiProtocol.self, impBuilder: once { ModuleBService(center: $0) })
    }
}
