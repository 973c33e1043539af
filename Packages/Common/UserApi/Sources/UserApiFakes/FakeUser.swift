import Synchronization
import UserApi

/// A User for tests, without a server: the test sets the session.
///
/// All members are thread-safe.
public final class FakeUser: UserApiProtocol {
    private let current: Mutex<UserSession?>

    /// Creates a User that nobody is logged in to, or a passenger whose name is the identifier.
    public init(_ id: String? = nil) { current = Mutex(id.map { UserSession(id: $0, name: $0) }) }

    /// The session, which the test may replace at any time.
    public var session: UserSession? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
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
