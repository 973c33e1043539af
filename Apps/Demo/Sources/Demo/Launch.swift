import Lifecycle

/// The contents of the main report: the registered modules, the launch and the day.
struct Launch {
    /// A module of the root manifest. `version` and `entry` (the result of the registration) are nil when the
    /// module is left out of this build.
    struct Registered {
        let name: String
        let version: String?
        let entry: LifecycleReport.Entry?
    }

    let modules: [Registered]
    let report: LifecycleReport
    let absent: [ModuleHost.AbsentModule]
    /// The requested callers that made no Api calls.
    let silent: [String]
    let day: PlayedDay

    /// Plays the day.
    ///
    /// - Parameters:
    ///   - app: The launched app.
    ///   - callers: The modules whose calls are shown; empty for all.
    init(_ app: DemoApp, callers: [String]) async {
        let versions = Dictionary(uniqueKeysWithValues: app.host.modules.map { ($0.name, $0.version) })
        let entries = Dictionary(
            uniqueKeysWithValues: app.host.registration.entries.map { ($0.module, $0) })
        modules = app.names.map {
            Registered(name: $0, version: versions[$0], entry: entries[$0])
        }
        report = app.launch
        absent = app.host.absent
        let day = await app.playDay()
        self.day = callers.isEmpty ? day : day.calls(by: callers)
        let heard = Set(day.steps.flatMap(\.calls).compactMap(\.caller))
        silent = callers.filter { !heard.contains($0) }
    }
}
