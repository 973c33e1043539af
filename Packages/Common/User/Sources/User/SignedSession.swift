import UserApi

/// A session with its token, as the server sends it and as User saves it. Callers see ``session``.
struct SignedSession: Sendable, Hashable, Codable {
    let id: String
    let name: String
    /// The token that authenticates requests of this session.
    let token: String

    /// The session without the token.
    var session: UserSession { UserSession(id: id, name: name) }
}
