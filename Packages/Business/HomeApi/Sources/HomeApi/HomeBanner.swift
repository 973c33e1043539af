/// A banner.
public struct HomeBanner: Sendable, Hashable {
    /// What the passenger reads.
    public let title: String
    /// What a tap shows: a URL of the web.
    public let link: String
    /// Whether it came from the cache.
    public let isCached: Bool

    /// A banner of these parts.
    public init(title: String, link: String, isCached: Bool) {
        (self.title, self.link, self.isCached) = (title, link, isCached)
    }
}

/// Why Home did not do what it was asked for.
public enum HomeApiError: Error, Sendable, Hashable {
    /// The SDK is not set up, so no server is known.
    case notInitialised
    /// There is no banner; why, in words.
    case noBanner(String)
    /// Nothing shows the banner's page; why, in words.
    case noPage(String)
}
