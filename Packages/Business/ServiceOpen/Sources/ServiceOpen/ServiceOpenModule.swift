import ApiCenter
import Lifecycle
import Links
import ServiceOpenApi

/// Registers ServiceOpen. The package's only public declaration.
public struct ServiceOpenModule: Module, LinkAnswering {
    public let version = "1.0.0"

    /// The object behind the Api, which opens its files when the module prepares.
    private let service = ServiceOpenService()

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(ServiceOpenApiProtocol.self) { [service] in service }
    }

    public func prepare(in center: ApiCenter) async throws {
        try service.open(in: center)
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(ServiceOpenRoute.main, from: .outside, on: MainActor.shared) { [weak center] _ in
                center.map { ServiceOpenPage(center: $0) }
            }
        ]
    }
}
