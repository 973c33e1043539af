import Locking

/// Lets a connection or a server run only once, and tells it when to stop.
final class Running: Sendable {
    private let stopped = AsyncStream.makeStream(of: Never.self)
    private let hasBegun = Locked(false)

    /// - Throws: ``RemoteSetupError`` if this method is called twice.
    func begin(_ place: String) throws(RemoteSetupError) {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        guard isFirst else {
            throw RemoteSetupError(
                place: "run() of the \(place)", what: "it has already been called",
                why: "gRPC can open a connection or a server only once",
                fix: "create another one and run it")
        }
    }

    func stop() { stopped.continuation.finish() }

    /// Returns when ``stop()`` is called, or when the task is cancelled. Only one task may wait.
    func untilStopped() async { for await _ in stopped.stream {} }
}
