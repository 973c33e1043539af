/// User's interface for other modules: logging in, logging out, and the current session. No other interface provides
/// the session.
///
/// All members are thread-safe. The asynchronous ones send requests and write files off the caller's actor.
public protocol UserApiProtocol: Sendable {
    /// The session of the logged-in passenger; nil when nobody is logged in.
    var session: UserSession? { get }

    /// Logs a passenger in, replaces the current session, and saves the new one so that it survives a relaunch.
    ///
    /// Logging out or cancelling the task during the request cancels the log-in.
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
