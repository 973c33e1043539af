/// A clock of any kind, as the host needs it.
struct Stopwatch: Sendable {
    /// The time since the stopwatch was made.
    let now: @Sendable () -> Duration

    /// Suspends for a while; throws when the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }
}
