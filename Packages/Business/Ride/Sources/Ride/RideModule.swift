import ApiCenter
import Foundation
import Lifecycle
import Links
import RideApi

/// Registers Ride. The package's only public declaration.
public struct RideModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        // The service has a key of its own, because the app may register a decorator as the Api's IMP.
        center.register(RideService.self, scope: .once) { try RideService(center: $0) }
        center.register(RideApiProtocol.self) { try $0.requireApi(type: RideService.self) }
    }

    public func prepare(in center: ApiCenter) async throws {
        try center.requireApi(type: RideService.self).listen()
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
        let service = try center.requireApi(type: RideService.self)
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
