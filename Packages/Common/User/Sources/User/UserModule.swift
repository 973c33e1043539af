import ApiCenter
import Lifecycle
import Links
import UserApi

/// Registers User. The package's only public declaration.
public struct UserModule: Module, LinkAnswering {
    public let version = "1.0.0"

    /// The object behind the Api, which opens its files when the module prepares.
    private let service = UserService()

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(UserApiProtocol.self) { [service] in service }
    }

    public func prepare(in center: ApiCenter) async throws {
        try service.open(in: center)
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(UserRoute.main, from: .outside, on: MainActor.shared) { [weak center] _ in
                center.map { LogInPage(center: $0) }
            }
        ]
    }
}
