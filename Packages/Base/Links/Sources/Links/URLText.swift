#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type that callers may pass as a URL: a string, or Foundation's `URL`.
///
/// Callers need both types: a route's name is a string constant, but the system passes a `URL`.
public protocol URLText {
    /// The URL's text, for ``AppURL/init(_:)``.
    var urlText: String { get }
}

extension String: URLText {
    /// The string itself.
    public var urlText: String { self }
}

extension URL: URLText {
    /// The whole URL, including its base.
    public var urlText: String { absoluteString }
}
