import Lifecycle

/// How the modules of an app registered, prepared, answered links and launched.
public struct LaunchReport: Sendable {
    /// How each module registered.
    public let registration: LifecycleReport
    /// How each module prepared.
    public let preparation: LifecycleReport
    /// Whether the links of each module that has links were installed, in the order of the app's list.
    public let links: LifecycleReport
    /// How each module handled the event `launch`.
    public internal(set) var launch = LifecycleReport(phase: "launch", entries: [])
    /// How the app's own step before the launch ended; nil for an app without such a step.
    public internal(set) var beforeLaunch: LifecycleReport.Entry?

    /// The phase of the app's own step.
    static let step = "beforeLaunch"

    private var phases: [LifecycleReport] { [registration, preparation, links, launch] }

    /// One line for each module that failed, at its first failure, followed by the failures of the app itself.
    public var failureLines: [String] {
        let names = registration.entries.map(\.module)
        return names.compactMap(failure(of:)) + preparation.warnings + launch.warnings
            + [beforeLaunch?.failure(in: Self.step)].compactMap(\.self)
    }

    /// Returns one line about the first failure of a module; nil if the module succeeded or is not in the app.
    public func failure(of module: String) -> String? {
        let failures = phases.lazy.flatMap { phase in
            phase.entries.lazy.filter { $0.module == module }.compactMap { $0.failure(in: phase.phase) }
        }
        return failures.first
    }
}
