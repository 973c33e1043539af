import ApiCenter
import Foundation
import Lifecycle
import Links
import RideApi

/// Registers Ride. The package's only public declaration.
public struct RideModule: Module, LinkAnswering {
    public let version = "1.0.0"

    /// The object behind Ride's Api. The module keeps it, because a decorator may be registered in its place.
    private let service = RideService()

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(RideApiProtocol.self) { [service] in service }
    }

    public func prepare(in center: ApiCenter) async throws {
        try service.open(in: center)
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(RideRoute.main, from: .outside, on: MainActor.shared) { [weak center] _ in
                center.map { RidePage(center: $0) }
            },
            .action(RideAction.target, RideAction.stations, from: .outside) { _ in Line.stations },
        ]
    }

    /// Replaces the code when the app goes to the background, because the system's snapshot of the app shows
    /// the old code.
    public func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        switch event {
        case .launch: service.resumeSession()
        case .background:
            try center.requireApi(type: NotificationCenter.self)
                .post(name: Notification.Name(RideNotification.refreshCode), object: nil)
            await service.updateGate()
        default: break
        }
    }
}
