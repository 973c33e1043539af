/// A passenger who is logged in.
public struct UserSession: Sendable, Hashable, Codable {
    /// The passenger's identifier with the operator. Never shown.
    public let id: String
    /// The name to show.
    public let name: String
    /// What the server knows the session by.
    public let token: String

    /// A session of these parts.
    public init(id: String, name: String, token: String) {
        (self.id, self.name, self.token) = (id, name, token)
    }
}
