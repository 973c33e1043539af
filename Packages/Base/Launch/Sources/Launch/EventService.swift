/// A service of the app that follows the app's events, such as a storage that closes its files in the background.
///
/// ```swift
/// EventService("Storage", active: { try storage.resume() }, background: { await storage.suspend() })
/// ```
///
/// The closures run on no particular actor, without a time limit. If one throws, the event's report contains the error as
/// a warning.
public struct EventService: Sendable {
    /// Reacts to an event.
    public typealias Action = @Sendable () async throws -> Void

    let name: String
    let active, background, memoryWarning: Action?

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
        (self.name, self.active, self.background, self.memoryWarning) = (
            name, active, background, memoryWarning
        )
    }
}
