import Locking

/// Lets a connection or a server run once, and tells it when to stop.
final class Running: Sendable {
    private let stopped = AsyncStream.makeStream(of: Never.self)
    private let hasBegun = Locked(false)

    /// - Throws: ``RemoteSetupError`` at the second call.
    func begin(_ place: String) throws(RemoteSetupError) {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        guard isFirst else {
            throw RemoteSetupError(
                place: "run() of the \(place)", what: "it was called before",
                why: "gRPC opens a connection or a server once", fix: "create another one, and run that")
        }
    }

    func stop() { stopped.continuation.finish() }

    /// Returns when ``stop()`` is called, or when the task is cancelled. Only one task may wait.
    func untilStopped() async { for await _ in stopped.stream {} }
}
