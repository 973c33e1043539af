import Lifecycle
import Links
import Locking

extension ModularApp {
    /// A launch that has begun.
    struct Start: Sendable {
        /// Ends when links can be opened, with a report without the event `launch`.
        let ready: Task<LaunchReport, Never>
        /// The event `launch`, which has the first place in the host's queue.
        let event: Delivery
    }

    /// Begins the launch, unless that has happened.
    func begin(_ state: inout AppState.Value) -> Start {
        if let start = state.start { return start }
        let start = Start(ready: Task { await self.start() }, event: host.post(.launch))
        state.start = start
        return start
    }

    /// Prepares the modules, installs their links, and runs the app's own step.
    private func start() async -> LaunchReport {
        let preparation = await host.prepare()
        let links = await installLinks(leftOut: Set(preparation.failures.map(\.module)))
        var report = LaunchReport(registration: host.registration, preparation: preparation, links: links)
        if let beforeLaunch {
            report.beforeLaunch = await host.run("The app", in: LaunchReport.step) { [center] in
                try await beforeLaunch(center)
            }
        }
        return report
    }

    /// Installs the links of each module, in the order of the app's list. A module is left out if its links collide with
    /// those of an earlier one, or if it exceeds its time limit.
    private func installLinks(leftOut: Set<String>) async -> LifecycleReport {
        var report = LifecycleReport(phase: "links", entries: [])
        guard let links else { return report }
        for module in listed where !leftOut.contains(module.name) {
            guard module.conformance(to: (any LinkAnswering).self) != nil else { continue }
            let installation = Locked(Installation.pending)
            let entry = await host.run(module.name, in: report.phase) { [center] in
                let made = module.conformance(to: (any LinkAnswering).self)?.links(in: center) ?? []
                try installation.withLock {
                    if $0 == .over { throw CancellationError() }
                    try links.install(made, module.name)
                    $0 = .done
                }
            }
            // From here on, a step that has exceeded its limit installs nothing.
            let isDone = installation.withLock { state in
                defer { state = .over }
                return state == .done
            }
            if !isDone { await host.leaveOut(module.name) }
            report.entries.append(
                isDone ? .init(module: module.name, duration: entry.duration, outcome: .succeeded) : entry)
        }
        return report
    }
}

/// How far the installation of a module's links is.
private enum Installation { case pending, done, over }

/// What has happened to an app.
final class AppState: Sendable {
    struct Value: Sendable {
        var start: ModularApp.Start?
        /// Whether `active` or `background` was posted last.
        var isActive = true
        /// The last `active` that was posted.
        var activation: Delivery?
        /// Ends when the last opened link from outside has been looked up.
        var lookup: Task<Void, Never>?
        /// The same for links that modules open while they handle an event.
        var innerLookup: Task<Void, Never>?

        mutating func note(_ event: LifecycleEvent) {
            if event == .active { isActive = true }
            if event == .background { isActive = false }
        }
    }

    private let value = Locked(Value())

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { body(&$0) }
    }
}
