import URLGrammar

/// A call to a URL, as passed to guards and to the unmatched handler.
public struct RouteRequest: Sendable {
    /// The URL; after redirects, the last one.
    public let url: AppURL
    /// The pattern of the route to be called; nil in the unmatched handler.
    public let pattern: String?
    /// The parameters, as the route's handler gets them.
    public let parameters: Parameters
    /// Whether the call was made with `openUrl`.
    public let isRemote: Bool
}
