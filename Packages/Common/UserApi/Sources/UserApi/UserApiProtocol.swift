/// What other modules may ask of User: who is logged in. The session is the app's only copy of it.
///
/// Every call is safe from any task.
public protocol UserApiProtocol: Sendable {
    /// Who is logged in; nil when nobody is.
    var session: UserSession? { get }

    /// Logs a passenger in, in place of whoever was, and keeps the session for the next start of the app.
    ///
    /// A log-out that comes while the server is asked, or a cancellation of the task, ends the log-in.
    ///
    /// - Parameters:
    ///   - phone: A mobile number of 11 digits.
    ///   - password: The passenger's password. It is sent to the server and kept nowhere.
    /// - Throws: ``UserApiError``; then whoever was logged in still is.
    func logIn(phone: String, password: String) async throws(UserApiError) -> UserSession

    /// Ends the session, forgets the answers that were cached for it, and posts
    /// ``UserNotification/sessionEnded``. Ends a log-in that is under way, too.
    ///
    /// - Throws: ``UserApiError/notSaved(_:)``; then whoever was logged in still is.
    func logOut() throws(UserApiError)
}
