import ApiCenter
import Lifecycle
import ModuleAApi
import ModuleBApi
import ModuleCApi

/// What the Shell shows: what was registered, who called whom, and how the launch went.
struct Launch {
    /// A module of the root manifest, and how registering it went; nil when this build does not have it.
    struct Registered {
        let name: String
        let version: String?
        let entry: LifecycleReport.Entry?
    }

    let modules: [Registered]
    let calls: [Trace.Call]
    let report: LifecycleReport
    let absent: [ModuleHost.AbsentModule]
    /// The modules that were asked for and call no other by its Api.
    let silent: [String]
    let day: PlayedDay

    /// Lets the modules of the app call each other, and plays the day.
    ///
    /// - Parameters:
    ///   - app: The app, launched.
    ///   - callers: The modules whose calls are shown; none stands for all.
    /// - Throws: ``UsageError`` when a caller is not in this build; ``Trace/Mismatch``.
    init(_ app: App, callers: [String]) async throws {
        let versions = Dictionary(uniqueKeysWithValues: app.host.modules.map { ($0.name, $0.version) })
        if let name = callers.first(where: { versions[$0] == nil }) {
            throw UsageError.moduleLeftOut(name)
        }
        let trace = Trace(of: app.center)
        for (name, ask) in Self.conversations where callers.isEmpty || callers.contains(name) {
            try trace.record(caller: name) { ask(app.center) }
        }
        let entries = Dictionary(
            uniqueKeysWithValues: app.host.registration.entries.map { ($0.module, $0) })
        modules = Registrations.names.map {
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

    /// For each module that calls others, how it is asked to; nil when it is not in this build.
    private static let conversations: [(String, @Sendable (ApiCenter) -> [String?]?)] = [
        ("ModuleA", { $0.api(type: ModuleAApiProtocol.self)?.askOthers() }),
        ("ModuleB", { $0.api(type: ModuleBApiProtocol.self)?.askOthers() }),
        ("ModuleC", { $0.api(type: ModuleCApiProtocol.self)?.askOthers() }),
    ]
}
