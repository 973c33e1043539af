import APIService
import ApiCenter
import Foundation
import Mediator
import RideCode
import Routes
import Storage

/// The shared components that the app provides to its modules.
///
/// The components are in the center before the first module registers, so a module may request them while it
/// registers.
/// Each `App` has its own instances; there is no process-wide state.
struct Infrastructure: Sendable {
    let routes = Routes()
    let mediator = Mediator()
    let notifications = NotificationCenter()
    let storage: Storage
    let server: OperatorServer
    let network: APIService
    let clock: GateClock
    let issuer: RideCodeIssuer

    /// Creates the components of one app.
    ///
    /// - Parameters:
    ///   - storage: The storage for the modules' data.
    ///   - server: The server that answers the modules' requests.
    init(storage: Storage, server: OperatorServer) {
        (self.storage, self.server) = (storage, server)
        var settings = APISettings()
        // The cache belongs to the data, so it is beside the data instead of in the user's cache folder.
        settings.cacheTool =
            storage.folder.map { CacheTool(folder: $0.appending(path: "cache"), diskLimit: 1 << 20) }
            ?? .inMemory()
        network = APIService(client: server, config: APIConfig(settings))
        let clock = GateClock()
        self.clock = clock
        issuer = RideCodeIssuer(lifetime: GateClock.codeLifetime) { clock.now }
    }

    func register(in center: ApiCenter) {
        let (routes, mediator, notifications) = (routes, mediator, notifications)
        let (storage, network, issuer) = (storage, network, issuer)
        center.registerApi(type: Routes.self) { routes }
        center.registerApi(type: Mediator.self) { mediator }
        center.registerApi(type: NotificationCenter.self) { notifications }
        center.registerApi(type: Storage.self) { storage }
        center.registerApi(type: APIService.self) { network }
        center.registerApi(type: RideCodeIssuer.self) { issuer }
    }
}
