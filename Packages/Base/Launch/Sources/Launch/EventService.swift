import Lifecycle

/// A service of the app that follows the app's events, such as a storage that closes its files in the background.
///
/// ```swift
/// EventService("Storage", active: { try storage.resume() }, background: { await storage.suspend() })
/// ```
///
/// The closures run on no particular actor, on a thread outside the pool that Swift shares among all tasks. Each has the
/// time limit of a module. If one throws or exceeds its limit, the event's report contains a warning. Later events wait
/// for the closures, so one that waits for the report of an event that it posts waits until its limit expires.
/// `ModularApp.send` and the value of a link do not wait.
public struct EventService: Sendable {
    /// Reacts to an event. The task is cancelled when the time limit expires.
    public typealias Action = @Sendable () async throws -> Void

    let name: String
    /// What the service does before, and after, the modules handle an event.
    let before, after: [LifecycleEvent: Action]

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - name: The name for reports.
    ///   - active: Runs before the modules handle `active`.
    ///   - background: Runs after the modules have handled `background`, unless `active` has been posted since.
    ///   - memoryWarning: Runs before the modules handle `memoryWarning`.
    public init(
        _ name: String, active: Action? = nil, background: Action? = nil, memoryWarning: Action? = nil
    ) {
        self.name = name
        before = [.active: active, .memoryWarning: memoryWarning].compactMapValues(\.self)
        after = [.background: background].compactMapValues(\.self)
    }
}

extension [EventService] {
    /// Tells the services of an event, and returns one line for each service that failed.
    func tell(
        _ event: LifecycleEvent, run: ModuleHost.Step,
        _ actions: (EventService) -> [LifecycleEvent: EventService.Action]
    ) async -> [String] {
        var failures: [String] = []
        for service in self {
            guard let action = actions(service)[event] else { continue }
            let entry = await run(service.name, action)
            if let failure = entry.failure(in: event.description) { failures.append(failure) }
        }
        return failures
    }
}
