import ApiCenter
import HomeApi
import JourneyApi
import Lifecycle
import ModuleAApi
import PayTypeApi
import RideApi
import Routes
import ServiceOpenApi
import WebContainerApi

/// The app after its launch: every module registered, its routes and actions installed, the launch event sent.
struct App: Sendable {
    /// Which routes the modules have, by the constants of their Apis: so a URL of a module that this build
    /// does not have is told from a wrong one.
    private static let declared = [
        "Home": [HomeRoute.main],
        "Journey": [JourneyRoute.main, JourneyRoute.list],
        "ModuleA": [ModuleARoute.describe],
        "PayType": [PayTypeRoute.main, PayTypeRoute.select],
        "Ride": [RideRoute.main],
        "ServiceOpen": [ServiceOpenRoute.main],
        "WebContainer": [WebContainerRoute.page],
    ]

    let center: ApiCenter
    let host: ModuleHost
    let infrastructure: Infrastructure
    let diary: Diary
    let launch: LifecycleReport

    var routes: Routes { infrastructure.routes }

    /// Launches the app with these modules, in a center of its own.
    ///
    /// - Throws: ``LifecycleError`` when the modules cannot be put in order; ``RouteError`` when two modules
    ///   claim a route; ``MediatorError`` when two claim a target.
    static func start(_ modules: [any Module], on infrastructure: Infrastructure) async throws -> App {
        let center = ApiCenter(), diary = Diary()
        infrastructure.register(in: center)
        let host = try ModuleHost(modules.map { WatchedModule($0, diary: diary) }, center: center)
        for (module, patterns) in declared {
            try infrastructure.routes.declareRoutes(patterns, module: module)
        }
        let failed = Set(host.registration.failures.map(\.module))
        for module in host.modules where !failed.contains(module.name) {
            try infrastructure.routes.install(
                module.routes(in: center), asyncRoutes: module.asyncRoutes(in: center),
                remote: module.remoteRoutes)
            try infrastructure.mediator.install(
                actions: module.actions(in: center), asyncActions: module.asyncActions(in: center),
                remote: module.remoteActions)
        }
        return App(
            center: center, host: host, infrastructure: infrastructure, diary: diary,
            launch: await host.send(.launch))
    }

    /// What went wrong, a line for each module.
    var failures: [String] { host.modules.compactMap { failure(of: $0.name) } }

    /// What went wrong with a module, in a line; nil when nothing did, or the app does not have it.
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
    /// What went wrong, a line for each module.
    var failureLines: [String] { failures.compactMap { $0.failure(in: phase) } }
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
