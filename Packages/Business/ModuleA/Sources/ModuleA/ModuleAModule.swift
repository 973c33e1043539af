import ApiCenter
import Lifecycle
import ModuleAApi

/// Registers ModuleA. The package's only public declaration.
public struct ModuleAModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(ModuleAApiProtocol.self) { ModuleAService(center: $0) }
    }

    public func offers(in center: ApiCenter) -> [Offer] {
        [
            .route(ModuleARoute.describe, from: .outside) { [unowned center] _ in
                center.api(type: ModuleAApiProtocol.self)?.descriptionA()
            }
        ]
    }
}
