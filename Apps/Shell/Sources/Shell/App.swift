import ApiCenter
import Lifecycle
import ModuleAApi
import Routes

/// The app after its launch: every module registered, its routes installed, the launch event sent.
struct App {
    /// Which routes the modules have, by the constants of their Apis: so a URL of a module that this build
    /// does not have is told from a wrong one.
    private static let declared = ["ModuleA": [ModuleARoute.describe]]

    let center: ApiCenter
    let host: ModuleHost
    let routes: Routes
    let launch: LifecycleReport

    /// Launches the app with these modules, in a center and with routes of its own.
    ///
    /// - Throws: ``LifecycleError`` when the modules cannot be put in order; ``RouteError`` when two modules
    ///   claim a route.
    static func start(_ modules: [any Module]) async throws -> App {
        let center = ApiCenter(), routes = Routes()
        let host = try ModuleHost(modules, center: center)
        for (module, patterns) in declared { try routes.declareRoutes(patterns, module: module) }
        for module in host.modules {
            try routes.install(module.routes(in: center), remote: module.remoteRoutes)
        }
        return App(center: center, host: host, routes: routes, launch: await host.send(.launch))
    }

    /// What went wrong, a line for each module.
    var failures: [String] {
        [host.registration, launch].flatMap { report in
            report.failures.compactMap { $0.failure(in: report.phase) }
        }
    }
}

extension LifecycleReport.Entry {
    /// What went wrong in a phase; nil when nothing did, or when it was said before.
    func failure(in phase: String) -> String? {
        switch outcome {
        case .succeeded, .skipped: nil
        case .failed(let error): "\(module) failed at \(phase): \(error)"
        case .timedOut(let limit):
            "\(module) was still busy with \(phase) after \(limit), and was left behind"
        }
    }
}
