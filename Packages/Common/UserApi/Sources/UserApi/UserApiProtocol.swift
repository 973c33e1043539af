/// User's interface for other modules: logging in, logging out, and the current session. No other interface provides
/// the session.
///
/// All members are thread-safe. The asynchronous ones send requests and write files off the caller's actor.
public protocol UserApiProtocol: Sendable {
    /// The session of the logged-in passenger; nil when nobody is logged in.
    var session: UserSession? { get }

    /// The session, now and after each change, for a caller that shows or keeps what belongs to a passenger.
    ///
    /// ```swift
    /// for await session in user.sessions() { title = session?.name ?? "Log in" }
    /// ```
    ///
    /// Each call returns a stream of its own, for one loop. The stream begins with the current session, which is nil
    /// when nobody is logged in. It keeps only the newest session until the loop is ready. A slow loop therefore misses
    /// sessions, and may get an equal one twice if its passenger has logged out and in again meanwhile. The stream ends
    /// with the app's User, or when the task of the loop is cancelled.
    func sessions() -> AsyncStream<UserSession?>

    /// Logs a passenger in, replaces the current session, and saves the new one so that it survives a relaunch.
    ///
    /// Logging out, a newer log-in, or cancelling the task during the request cancels the log-in.
    ///
    /// - Parameters:
    ///   - phone: A mobile number of 11 digits.
    ///   - password: The passenger's password. It is sent to the server and never stored.
    /// - Throws: ``UserApiError``. In that case the current session stays unchanged.
    func logIn(phone: String, password: String) async throws(UserApiError) -> UserSession

    /// Ends the session, removes its cached responses, and posts ``UserNotification/sessionEnded``. Also
    /// cancels a log-in in progress.
    ///
    /// - Throws: ``UserApiError/notSaved(_:)``. In that case the session continues.
    func logOut() async throws(UserApiError)
}
