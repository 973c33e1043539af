import Lifecycle

/// The contents of the main report: the registered modules, the launch and the day. Durations are in seconds.
struct Overview: Encodable {
    /// A module of the root manifest, with the results of its registration and preparation. They and the version are nil
    /// when the module is left out of this build.
    struct Module: Encodable {
        let name: String
        let isInThisBuild: Bool
        let version: String?
        let registration, preparation: Part?
    }

    /// What came of a module in one phase of the launch.
    struct Part: Encodable {
        let module: String
        let seconds: Double
        let outcome: String
        let error: String?

        init(_ entry: LifecycleReport.Entry) {
            module = entry.module
            seconds =
                Double(entry.duration.components.seconds)
                + Double(entry.duration.components.attoseconds) * 1e-18
            (outcome, error) =
                switch entry.outcome {
                case .succeeded: ("succeeded", nil)
                case .failed(let error): ("failed", error)
                case .timedOut(let limit): ("timedOut", "still busy after \(limit)")
                case .skipped: ("skipped", nil)
                }
        }
    }

    let modules: [Module]
    let launch: [Part]
    /// For each module, the modules in its `after` list that are not in this build.
    let absent: [String: [String]]
    /// The requested callers that made no Api calls.
    let silent: [String]
    let day: PlayedDay

    /// Plays the day.
    ///
    /// - Parameters:
    ///   - app: The launched app.
    ///   - callers: The modules whose calls are shown; empty for all.
    ///   - complain: Receives the reasons of failures, which the passenger does not read.
    init(_ app: DemoApp, callers: [String], complain: @escaping @Sendable (String) -> Void) async {
        let versions = Dictionary(uniqueKeysWithValues: app.app.modules.map { ($0.name, $0.version) })
        let registered = app.launch.registration.entries.map(Part.init)
        let prepared = app.launch.preparation.entries.map(Part.init)
        modules = app.names.map { name in
            Module(
                name: name, isInThisBuild: versions[name] != nil, version: versions[name],
                registration: registered.first { $0.module == name },
                preparation: prepared.first { $0.module == name })
        }
        launch = app.launch.launch.entries.map(Part.init)
        absent = Dictionary(grouping: app.app.absent, by: \.namedBy).mapValues { $0.map(\.name) }
        let day = await app.playDay(complain: complain)
        self.day = callers.isEmpty ? day : day.calls(by: callers)
        let heard = Set(self.day.steps.flatMap(\.calls).filter { $0.way == .api }.compactMap(\.caller))
        silent = callers.filter { !heard.contains($0) }
    }
}
