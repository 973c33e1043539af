/// The session of a logged-in passenger.
public struct UserSession: Sendable, Hashable, Codable {
    /// The operator's identifier for the passenger. Never shown to the passenger.
    public let id: String
    /// The passenger's display name.
    public let name: String
    /// The token that authenticates requests of this session.
    public let token: String

    /// Creates a session.
    public init(id: String, name: String, token: String) {
        (self.id, self.name, self.token) = (id, name, token)
    }
}
