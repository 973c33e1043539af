import ApiCenter
import Lifecycle
import ModuleAApi
import ModuleBApi
import ModuleCApi

/// One launch of the app: what was registered, who called whom, and how the launch went.
struct Launch {
    /// A module of the root manifest, and how registering it went; nil when this build does not have it.
    struct Registered {
        let name: String
        let version: String?
        let entry: LifecycleReport.Entry?
    }

    let modules: [Registered]
    let calls: [Trace.Call]
    let launch: LifecycleReport
    let absent: [ModuleHost.AbsentModule]

    /// What went wrong, a line for each module.
    let failures: [String]

    /// Registers the modules in a center of its own, lets them call each other and launches them.
    ///
    /// - Parameters:
    ///   - installed: The modules of this build.
    ///   - callers: The modules whose calls are shown; none stands for all.
    /// - Throws: ``UsageError`` when a caller is not in this build; ``LifecycleError`` when the modules cannot
    ///   be put in order.
    static func run(_ installed: [any Module], callers: [String]) async throws -> Launch {
        let byName = Dictionary(uniqueKeysWithValues: installed.map { ($0.name, $0) })
        if let name = callers.first(where: { byName[$0] == nil }) { throw UsageError.moduleLeftOut(name) }

        let center = ApiCenter()
        let host = try ModuleHost(installed, center: center)
        let launch = await host.send(.launch)
        let trace = Trace(of: center)
        for (name, ask) in conversations where callers.isEmpty || callers.contains(name) {
            trace.record(caller: name) { ask(center) }
        }
        let registered = Dictionary(
            uniqueKeysWithValues: host.registration.entries.map { ($0.module, $0) })
        return Launch(
            modules: Registrations.names.map {
                .init(name: $0, version: byName[$0]?.version, entry: registered[$0])
            },
            calls: trace.calls, launch: launch, absent: host.absent,
            failures: [host.registration, launch].flatMap { report in
                report.failures.compactMap { $0.failure(in: report.phase) }
            })
    }

    /// For each module, how it is asked to call the others; nil when it is not in this build.
    private static let conversations: [(String, @Sendable (ApiCenter) -> [String?]?)] = [
        ("ModuleA", { $0.api(type: ModuleAApiProtocol.self)?.askOthers() }),
        ("ModuleB", { $0.api(type: ModuleBApiProtocol.self)?.askOthers() }),
        ("ModuleC", { $0.api(type: ModuleCApiProtocol.self)?.askOthers() }),
    ]
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
