import Synchronization
import UserApi

/// A User for tests, without a server: the test sets the session.
///
/// All members are thread-safe.
public final class FakeUser: UserApiProtocol {
    private struct State {
        var session: UserSession?
        var streams: [AsyncStream<UserSession?>.Continuation] = []
    }

    private let state: Mutex<State>

    /// Creates a User that nobody is logged in to, or a passenger whose name is the identifier.
    public init(_ id: String? = nil) {
        state = Mutex(State(session: id.map { UserSession(id: $0, name: $0) }))
    }

    deinit { for stream in state.withLock({ $0.streams }) { stream.finish() } }

    /// The session, which the test may replace at any time.
    public var session: UserSession? {
        get { state.withLock { $0.session } }
        set {
            state.withLock { state in
                state.session = newValue
                for stream in state.streams { stream.yield(newValue) }
            }
        }
    }

    public func sessions() -> AsyncStream<UserSession?> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: UserSession?.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            continuation.yield(state.session)
            state.streams.append(continuation)
        }
        return stream
    }

    /// Logs in a passenger, whose name is the identifier.
    @discardableResult
    public func logIn(_ id: String) -> UserSession {
        let session = UserSession(id: id, name: id)
        self.session = session
        return session
    }

    /// Logs in a passenger whose identifier and name are the phone number.
    public func logIn(phone: String, password: String) -> UserSession { logIn(phone) }

    /// Ends the session, without a notification.
    public func logOut() { session = nil }
}
