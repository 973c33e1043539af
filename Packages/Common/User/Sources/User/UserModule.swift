import ApiCenter
import Lifecycle
import Links
import UserApi

/// Registers User. The package's only public declaration.
public struct UserModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(UserService.self, scope: .once) { try UserService(center: $0) }
        center.register(UserApiProtocol.self) { try $0.requireApi(type: UserService.self) }
    }

    public func prepare(in center: ApiCenter) async throws {
        try center.requireApi(type: UserService.self).authenticateRequests()
    }

    /// Another process of the app group may have logged the passenger in or out while this app was in the background.
    public func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        if event == .active { try center.requireApi(type: UserService.self).noticeOtherProcesses() }
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(UserRoute.main, from: .outside, on: MainActor.shared) { [weak center] _ in
                center.map { LogInPage(center: $0) }
            }
        ]
    }
}
