import ApiCenter
import Lifecycle
import Links

/// The launched app: every module is registered and prepared, their links are installed, and
/// the launch event has been sent.
///
/// ```swift
/// let services = AppServices(storage: try Storage(folder: folder), client: URLSessionAPIClient())
/// let app = try await ModularApp.launch(on: services)
/// let page = try await app.services.routes.routeURL(HomeRoute.main, as: (any Page).self)
/// ```
public struct ModularApp: Sendable {
    /// The registry with the modules' Apis.
    public let center: ApiCenter
    /// The host of the modules, which sends them the app's events.
    public let host: ModuleHost
    /// The services that the modules use.
    public let services: AppServices
    /// How each module prepared.
    public let preparation: LifecycleReport
    /// How each module handled the launch event.
    public let launchReport: LifecycleReport
    let foreground = Foreground()

    /// Launches an app in a new center.
    ///
    /// - Parameters:
    ///   - modules: The app's modules: by default every pair whose trait is enabled in this build.
    ///   - services: The services for the modules.
    /// - Throws: `LifecycleError` when two modules have the same name or the modules' `after` lists form a
    ///   cycle; `RouteError` when two modules have the same route; `MediatorError` when two modules have the
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
        let preparation = await host.prepare()
        let leftOut = Set(preparation.failures.map(\.module))
        for module in host.modules where !leftOut.contains(module.name) {
            guard let links = (module as? any LinkAnswering)?.links(in: center) else { continue }
            try services.routes.install(links)
            try services.mediator.install(links)
        }
        return ModularApp(
            center: center, host: host, services: services, preparation: preparation,
            launchReport: await host.send(.launch))
    }

    /// One line for each module that failed to register, to prepare or to launch.
    public var failures: [String] { host.modules.compactMap { failure(of: $0.name) } }

    /// Returns one line about the failure of a module; nil when the module succeeded or is not in the app.
    public func failure(of module: String) -> String? {
        for report in [host.registration, preparation, launchReport] {
            for entry in report.failures where entry.module == module {
                if let failure = entry.failure(in: report.phase) { return failure }
            }
        }
        return nil
    }
}
