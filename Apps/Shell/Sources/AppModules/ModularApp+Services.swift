import ApiCenter
import Launch
import Lifecycle
import Routes

extension ModularApp {
    /// Creates an app of this project's modules. The app's network requests fail until its modules know the server, so
    /// pass a step that tells them:
    ///
    /// ```swift
    /// let services = AppServices(storage: try Storage(folder: folder), client: URLSessionAPIClient())
    /// let app = try ModularApp(on: services) { center in
    ///     try center.api(type: SDKManagerApiProtocol.self)?.initialise(configuration) { _ in }
    /// }
    /// await app.launch()
    /// let page = try await services.routes.routeURL(HomeRoute.main, as: (any Page).self)
    /// ```
    ///
    /// - Parameters:
    ///   - modules: The app's modules: by default every pair whose trait is enabled in this build.
    ///   - services: The services for the modules.
    ///   - center: The center in which the services and the modules register.
    ///   - timeLimit: The longest time that a module may take to prepare, and to handle an event.
    ///   - eventLimit: The longest time that all modules together may take to handle an event.
    ///   - clock: The clock that measures the limits; tests pass their own clock.
    ///   - observers: Hear of each module's part in the registration, the preparation and the events.
    ///   - beforeLaunch: Runs when the modules have prepared, and before they get the event `launch`, within the time
    ///     limit of a module.
    ///   - explain: Returns the text of an error that a module, one of its builders, or `beforeLaunch` has thrown.
    /// - Throws: `LifecycleError` when two modules have the same name or the modules' `after` lists form a
    ///   cycle; `LinkError` when a route in an Api is invalid.
    public convenience init(
        _ modules: [any Module] = Registrations.modules, on services: AppServices,
        center: ApiCenter = ApiCenter(), timeLimit: Duration = .seconds(10),
        eventLimit: Duration = .seconds(30), clock: some Clock<Duration> = ContinuousClock(),
        observers: [LifecycleObserver] = SystemLog.lifecycle,
        beforeLaunch: (@Sendable (ApiCenter) async throws -> Void)? = nil,
        explain: @escaping @Sendable (any Error) -> String = { String(describing: $0) }
    ) throws {
        // The order of the modules is checked here, before anything is registered.
        try self.init(
            modules, center: center, links: AppLinks(services.links), services: services.eventServices,
            timeLimit: timeLimit, eventLimit: eventLimit, clock: clock, observers: observers,
            beforeLaunch: beforeLaunch, explain: explain)
        services.register(in: center)
        for (module, patterns) in Registrations.routes {
            try services.routes.declareRoutes(patterns, module: module)
        }
    }
}
