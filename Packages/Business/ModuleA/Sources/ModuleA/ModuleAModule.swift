import ApiCenter
import Lifecycle
import Links
import ModuleAApi

/// Registers ModuleA. The package's only public declaration.
public struct ModuleAModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(ModuleAApiProtocol.self, scope: .once) { ModuleAService(center: $0) }
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(ModuleARoute.describe, from: .outside) { [weak center] _ in
                center?.api(type: ModuleAApiProtocol.self)?.descriptionA()
            }
        ]
    }
}
