import URLGrammar

/// A call of a URL, as a guard or the unmatched handler sees it.
public struct RouteRequest: Sendable {
    /// The URL; after redirects, the last one.
    public let url: AppURL
    /// The pattern of the route that is about to be called; nil in the unmatched handler.
    public let pattern: String?
    /// The parameters, as the route's handler gets them.
    public let parameters: Parameters
    /// Whether the call came in through `open`.
    public let isRemote: Bool
}
