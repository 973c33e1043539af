import ApiCenter
import Lifecycle

/// The launched app: every module is registered, all offers are installed, and the launch event has been sent.
///
/// ```swift
/// let services = AppServices(storage: try Storage(folder: folder), client: URLSessionAPIClient())
/// let app = try await ModularApp.launch(on: services)
/// let page = try app.services.routes.routeURL(HomeRoute.main, as: [String: String].self)
/// ```
public struct ModularApp: Sendable {
    /// The registry with the modules' Apis.
    public let center: ApiCenter
    /// The host of the modules, which sends them the app's events.
    public let host: ModuleHost
    /// The services that the modules use.
    public let services: AppServices
    /// How each module handled the launch event.
    public let launchReport: LifecycleReport
    let foreground = Foreground()

    /// Launches an app in a new center.
    ///
    /// - Parameters:
    ///   - modules: The app's modules: by default every pair whose trait is enabled in this build.
    ///   - services: The services for the modules.
    /// - Throws: `LifecycleError` when two modules have the same name or the modules' `after` lists form a
    ///   cycle; `RouteError` when two modules offer the same route; `MediatorError` when two modules offer the
    ///   same target.
    public static func launch(
        _ modules: [any Module] = Registrations.modules, on services: AppServices
    ) async throws -> ModularApp {
        let center = ApiCenter()
        services.register(in: center)
        let host = try ModuleHost(modules, center: center)
        for (module, patterns) in Registrations.routes {
            try services.routes.declareRoutes(patterns, module: module)
        }
        let failed = Set(host.registration.failures.map(\.module))
        for module in host.modules where !failed.contains(module.name) {
            let offers = module.offers(in: center)
            try services.routes.install(offers)
            try services.mediator.install(offers)
        }
        return ModularApp(
            center: center, host: host, services: services, launchReport: await host.send(.launch))
    }

    /// One line for each module that failed to register or to launch.
    public var failures: [String] { host.modules.compactMap { failure(of: $0.name) } }

    /// Returns one line about the failure of a module; nil when the module succeeded or is not in the app.
    public func failure(of module: String) -> String? {
        for report in [host.registration, launchReport] {
            for entry in report.failures where entry.module == module {
                if let failure = entry.failure(in: report.phase) { return failure }
            }
        }
        return nil
    }
}
