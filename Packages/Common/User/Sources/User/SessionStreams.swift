import Locking
import UserApi

/// The streams of the callers that follow the sessions. Thread-safe.
final class SessionStreams: Sendable {
    private struct State {
        var streams: [Int: AsyncStream<UserSession?>.Continuation] = [:]
        var count = 0
        /// The session that the streams got last.
        var latest: UserSession?
    }

    private let current: @Sendable () -> UserSession?
    private let state = Locked(State())

    /// - Parameter current: Returns the current session. It is called under a lock, so it must not call this object.
    init(of current: @escaping @Sendable () -> UserSession?) { self.current = current }

    deinit { for stream in state.withLock({ Array($0.streams.values) }) { stream.finish() } }

    /// Opens a stream that begins with the current session, and keeps only the newest one until its caller is ready.
    func stream() -> AsyncStream<UserSession?> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: UserSession?.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            update(&state)
            continuation.yield(state.latest)
            state.count += 1
            state.streams[state.count] = continuation
            return state.count
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.streams.removeValue(forKey: number) }
        }
        return stream
    }

    /// Sends the current session, unless the streams got it last. Called after each change.
    func send() { state.withLock { update(&$0) } }

    /// Reads the session under the lock, so that of two changes at the same time the newer session is sent last.
    private func update(_ state: inout State) {
        let session = current()
        guard session != state.latest else { return }
        state.latest = session
        for stream in state.streams.values { stream.yield(session) }
    }
}
