import ApiCenter
import Lifecycle
import Links
import ServiceOpenApi
import Storage

/// Registers ServiceOpen. The package's only public declaration.
public struct ServiceOpenModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) throws {
        let saved = try center.requireApi(type: Storage.self)
            .document("service", version: 1, default: ServiceOpenService.Saved())
        center.register(ServiceOpenApiProtocol.self, scope: .once) {
            ServiceOpenService(center: $0, saved: saved)
        }
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(ServiceOpenRoute.main, from: .outside, on: MainActor.shared) { [weak center] _ in
                center.map { ServiceOpenPage(center: $0) }
            }
        ]
    }
}
