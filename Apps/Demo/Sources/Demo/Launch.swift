import ApiCenter
import Lifecycle
import ModuleAApi
import ModuleBApi
import ModuleCApi

/// The contents of the main report: the registered modules, the calls between them, the launch and the day.
struct Launch {
    /// A module of the root manifest. `version` and `entry` (the result of the registration) are nil when the
    /// module is left out of this build.
    struct Registered {
        let name: String
        let version: String?
        let entry: LifecycleReport.Entry?
    }

    let modules: [Registered]
    let calls: [Trace.Call]
    let report: LifecycleReport
    let absent: [ModuleHost.AbsentModule]
    /// The requested callers that made no Api calls.
    let silent: [String]
    let day: PlayedDay

    /// Lets the modules of the app call each other and plays the day.
    ///
    /// - Parameters:
    ///   - app: The launched app.
    ///   - callers: The modules whose calls are shown; empty for all.
    /// - Throws: ``Trace/Mismatch`` when a module returns more or fewer answers than it made calls.
    init(_ app: DemoApp, callers: [String]) async throws {
        let versions = Dictionary(uniqueKeysWithValues: app.host.modules.map { ($0.name, $0.version) })
        let trace = Trace(of: app.center)
        for (name, ask) in Self.conversations where callers.isEmpty || callers.contains(name) {
            try trace.record(caller: name) { ask(app.center) }
        }
        let entries = Dictionary(
            uniqueKeysWithValues: app.host.registration.entries.map { ($0.module, $0) })
        modules = app.names.map {
            Registered(name: $0, version: versions[$0], entry: entries[$0])
        }
        calls = trace.calls
        report = app.launch
        absent = app.host.absent
        let day = await app.playDay()
        self.day = callers.isEmpty ? day : day.calls(by: callers)
        let heard = Set(trace.calls.map(\.caller) + day.steps.flatMap(\.calls).compactMap(\.caller))
        silent = callers.filter { !heard.contains($0) }
    }

    /// The modules with an `askOthers()` method, each with a closure that calls it. The closure returns nil
    /// when the module is left out of this build.
    private static let conversations: [(String, @Sendable (ApiCenter) -> [String?]?)] = [
        ("ModuleA", { $0.api(type: ModuleAApiProtocol.self)?.askOthers() }),
        ("ModuleB", { $0.api(type: ModuleBApiProtocol.self)?.askOthers() }),
        ("ModuleC", { $0.api(type: ModuleCApiProtocol.self)?.askOthers() }),
    ]
}
