import APIService
import ApiCenter
import Foundation
import Mediator
import RideCode
import Routes
import Storage

/// What the app gives its modules to work with: the components that there is one of in an app.
///
/// They are in the center before the first module registers, so a module may ask for them as it registers. Each app
/// has its own, and nothing here is shared by the process.
struct Infrastructure: Sendable {
    let routes = Routes()
    let mediator = Mediator()
    let notifications = NotificationCenter()
    let storage: Storage
    let server: OperatorServer
    let network: APIService
    let clock: GateClock
    let issuer: RideCodeIssuer

    /// - Parameters:
    ///   - storage: Where the modules keep what outlives the process.
    ///   - server: Who answers their requests.
    init(storage: Storage, server: OperatorServer) {
        (self.storage, self.server) = (storage, server)
        var settings = APISettings()
        // Beside the data, not in the user's own cache folder.
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
