import ApiCenter
import CatalogApi
import Lifecycle

/// Registers Catalog. The package's only public declaration.
public struct CatalogModule: Module {
    public let version = "0.1.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(CatalogApiProtocol.self, scope: .once) { CatalogService(center: $0) }
    }
}
