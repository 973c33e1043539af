import ApiCenter
import Lifecycle
import Routes

/// The launched app: every module is registered, all routes and actions are installed, and the launch event
/// has been sent.
struct App: Sendable {
    let center: ApiCenter
    let host: ModuleHost
    let infrastructure: Infrastructure
    let diary: Diary
    let launch: LifecycleReport

    var routes: Routes { infrastructure.routes }

    /// Launches the app with these modules in a new center.
    ///
    /// - Throws: ``LifecycleError`` when two modules have the same name or the modules' `after` lists form a
    ///   cycle; ``RouteError`` when two modules claim the same route; ``MediatorError`` when two modules claim
    ///   the same target.
    static func start(_ modules: [any Module], on infrastructure: Infrastructure) async throws -> App {
        let center = ApiCenter(), diary = Diary()
        infrastructure.register(in: center)
        let host = try ModuleHost(modules.map { WatchedModule($0, diary: diary) }, center: center)
        for (module, patterns) in Registrations.routes {
            try infrastructure.routes.declareRoutes(patterns, module: module)
        }
        let failed = Set(host.registration.failures.map(\.module))
        for module in host.modules where !failed.contains(module.name) {
            let offers = module.offers(in: center)
            try infrastructure.routes.install(offers)
            try infrastructure.mediator.install(offers)
        }
        return App(
            center: center, host: host, infrastructure: infrastructure, diary: diary,
            launch: await host.send(.launch))
    }

    /// One line for each module that failed to register or to launch.
    var failures: [String] { host.modules.compactMap { failure(of: $0.name) } }

    /// Returns one line about the failure of a module; nil when the module succeeded or is not in the app.
    func failure(of module: String) -> String? {
        for report in [host.registration, launch] {
            for entry in report.failures where entry.module == module {
                if let failure = entry.failure(in: report.phase) { return failure }
            }
        }
        return nil
    }
}

extension LifecycleReport {
    /// One line for each module that failed in this phase.
    var failureLines: [String] { failures.compactMap { $0.failure(in: phase) } }
}

extension LifecycleReport.Entry {
    /// Returns one line about the failure in a phase; nil after a success, and for a module that was skipped
    /// because of an earlier failure.
    func failure(in phase: String) -> String? {
        switch outcome {
        case .succeeded, .skipped: nil
        case .failed(let error): "\(module) failed at \(phase): \(error)"
        case .timedOut(let limit):
            "\(module) was still running \(phase) after \(limit), and the app continued without it"
        }
    }
}
