/// A page that shows web content.
public struct WebPage: Sendable, Hashable {
    /// The identifier of the container that shows the page.
    public let container: String
    /// The URL that the page shows.
    public let url: String

    /// Creates a page.
    public init(container: String, url: String) {
        (self.container, self.url) = (container, url)
    }
}

/// An error thrown by WebContainer's Api.
public enum WebContainerApiError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No container can show the URL, for the given reason.
    case badURL(String, reason: String)

    /// The URL and the reason as text, for callers that use a route or an action and do not know this type.
    public var description: String {
        switch self {
        case .badURL(let url, let reason): "'\(url)' cannot be shown: \(reason)"
        }
    }
}
