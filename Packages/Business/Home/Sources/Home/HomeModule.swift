import ApiCenter
import HomeApi
import Lifecycle
import Links

/// Registers Home. The package's only public declaration.
public struct HomeModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(HomeApiProtocol.self, scope: .once) { try HomeService(center: $0) }
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(HomeRoute.main, from: .outside, on: MainActor.shared) { [weak center] _ in
                center.map { HomePage(center: $0) }
            }
        ]
    }
}
