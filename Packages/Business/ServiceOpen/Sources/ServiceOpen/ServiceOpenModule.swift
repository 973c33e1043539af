import ApiCenter
import Lifecycle
import Links
import ServiceOpenApi

/// Registers ServiceOpen. The package's only public declaration.
public struct ServiceOpenModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(ServiceOpenApiProtocol.self, scope: .once) { try ServiceOpenService(center: $0) }
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(ServiceOpenRoute.main, from: .outside, on: MainActor.shared) { [weak center] _ in
                center.map { ServiceOpenPage(center: $0) }
            }
        ]
    }
}
