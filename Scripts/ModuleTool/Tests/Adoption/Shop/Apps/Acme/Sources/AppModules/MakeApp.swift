import APIService
import ApiCenter
import Foundation
import Launch
import Routes

/// Creates the app: its modules, the services that they use, and the registry of their links. The modules are registered
/// when this function returns, and prepare when the app launches.
public func makeApp() throws -> ModularApp {
    let (center, routes) = (ApiCenter(), Routes())
    center.register(Routes.self) { routes }
    var settings = APISettings()
    settings.baseURL = URL(string: "http://localhost:8080")
    let network = APIService(config: APIConfig(settings))
    center.register(APIService.self) { network }
    for (module, patterns) in Registrations.routes { try routes.declareRoutes(patterns, module: module) }
    return try ModularApp(Registrations.modules, center: center, links: AppLinks(routes.table))
}
