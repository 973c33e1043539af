/// Any clock, reduced to the two operations that the host needs.
struct Stopwatch: Sendable {
    /// The time since the stopwatch was created.
    let now: @Sendable () -> Duration

    /// Suspends for a duration. Throws if the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }
}
