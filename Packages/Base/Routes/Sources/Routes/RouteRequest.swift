import URLGrammar

/// A call to a URL, as passed to guards and to the unmatched handler.
public struct RouteRequest: Sendable {
    /// The URL, or the final URL if the call was redirected.
    public let url: AppURL
    /// The pattern of the route to be called; nil in the unmatched handler.
    public let pattern: String?
    /// The parameters that the route's handler gets.
    public let parameters: Parameters
    /// Whether the call was made with `openUrl`.
    public let isRemote: Bool
}
