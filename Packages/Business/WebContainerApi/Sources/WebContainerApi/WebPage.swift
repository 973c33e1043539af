/// A page that shows something of the web.
public struct WebPage: Sendable, Hashable {
    /// The container that shows it.
    public let container: String
    /// What it shows.
    public let url: String

    /// A page of these parts.
    public init(container: String, url: String) {
        (self.container, self.url) = (container, url)
    }
}

/// Why there is no page.
public enum WebContainerApiError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The URL is none that a container may show, and why.
    case badURL(String, reason: String)

    /// For callers by URL or by name, who cannot know the cases: what cannot be shown, and why.
    public var description: String {
        switch self {
        case .badURL(let url, let reason): "'\(url)' cannot be shown: \(reason)"
        }
    }
}
