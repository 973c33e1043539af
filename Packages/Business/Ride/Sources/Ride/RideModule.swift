import APIService
import ApiCenter
import Foundation
import GateApi
import Lifecycle
import Links
import RideApi
import Storage

/// Registers Ride. The package's only public declaration.
public struct RideModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) throws {
        let network = try center.requireApi(type: APIService.self)
        let gate = GateQueue { [weak center] in center?.api(type: GateApiProtocol.self) }
        let listening = gate.listen(to: try center.requireApi(type: NotificationCenter.self))
        let saved = try center.requireApi(type: Storage.self)
            .document("rides", version: 1, default: RideService.Saved())
        center.register(RideApiProtocol.self, scope: .once) {
            RideService(center: $0, network: network, gate: gate, listening: listening, saved: saved)
        }
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(RideRoute.main, from: .outside) { _ in ["page": "RideVC"] },
            .action(RideAction.target, RideAction.stations, from: .outside) { _ in Line.stations },
        ]
    }

    /// Replaces the code when the app goes to the background, because the system's snapshot of the app shows
    /// the old code.
    public func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        let ride = center.api(type: RideApiProtocol.self) as? RideService
        switch event {
        case .launch: ride?.resumeSession()
        case .background:
            try center.requireApi(type: NotificationCenter.self)
                .post(name: Notification.Name(RideNotification.refreshCode), object: nil)
            await ride?.updateGate()
        default: break
        }
    }
}
