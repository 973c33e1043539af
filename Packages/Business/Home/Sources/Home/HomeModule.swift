import APIService
import ApiCenter
import HomeApi
import Lifecycle
import Links
import Mediator

/// Registers Home. The package's only public declaration.
public struct HomeModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) throws {
        let network = try center.requireApi(type: APIService.self)
        let mediator = try center.requireApi(type: Mediator.self)
        center.register(HomeApiProtocol.self) { HomeService(network: network, mediator: mediator) }
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(HomeRoute.main, from: .outside, on: MainActor.shared) { [weak center] _ in
                center.map { HomePage(center: $0) }
            }
        ]
    }
}
