import Lifecycle

/// The contents of the main report: the registered modules, the launch and the day.
struct Launch {
    /// A module of the root manifest, with the results of its registration and preparation. They and the version are nil
    /// when the module is left out of this build.
    struct Registered {
        let name: String
        let version: String?
        let registration, preparation: LifecycleReport.Entry?
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
        let (registered, prepared) = (app.host.registration.byModule, await app.host.prepare().byModule)
        modules = app.names.map {
            Registered(
                name: $0, version: versions[$0], registration: registered[$0], preparation: prepared[$0])
        }
        report = app.launch
        absent = app.host.absent
        let day = await app.playDay()
        self.day = callers.isEmpty ? day : day.calls(by: callers)
        let heard = Set(day.steps.flatMap(\.calls).compactMap(\.caller))
        silent = callers.filter { !heard.contains($0) }
    }
}

extension LifecycleReport {
    /// The entries, keyed by the names of their modules.
    var byModule: [String: Entry] { Dictionary(uniqueKeysWithValues: entries.map { ($0.module, $0) }) }
}
