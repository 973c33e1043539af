/// The session of a logged-in passenger. The token that authenticates the session's requests stays in User, which adds it
/// to the requests.
public struct UserSession: Sendable, Hashable, Codable {
    /// The operator's identifier for the passenger. Never shown to the passenger.
    public let id: String
    /// The passenger's display name.
    public let name: String

    /// Creates a session.
    public init(id: String, name: String) {
        (self.id, self.name) = (id, name)
    }
}
