import Links

/// A call of a URL, as passed to the guard and to the not-found handler.
public struct RouteRequest: Sendable {
    /// The URL.
    public let url: AppURL
    /// The pattern of the route to be called; nil if no route matches.
    public let pattern: String?
    /// The parameters that the route's handler gets.
    public let parameters: Parameters
    /// Whether the call was made with `openUrl`.
    public let isRemote: Bool
}
