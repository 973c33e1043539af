/// What other modules may ask of User: who is logged in. The session is the app's only copy of it.
///
/// Every call is safe from any task.
public protocol UserApiProtocol: Sendable {
    /// Who is logged in; nil when nobody is.
    var session: UserSession? { get }

    /// Logs a passenger in, in place of whoever was, and keeps the session for the next start of the app.
    ///
    /// - Parameters:
    ///   - phone: A mobile number of 11 digits.
    ///   - password: The passenger's password. It is sent to the server and kept nowhere.
    /// - Throws: ``UserApiError``; then whoever was logged in still is.
    func logIn(phone: String, password: String) async throws(UserApiError) -> UserSession

    /// Ends the session, and forgets the answers that were cached for it. Does nothing when nobody is logged in.
    ///
    /// - Throws: ``UserApiError/notSaved(_:)``.
    func logOut() throws(UserApiError)
}
