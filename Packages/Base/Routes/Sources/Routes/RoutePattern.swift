import Links

/// Describes the URLs that a route matches, for example `ride/:id<int>(/seat/:seat)`,
/// `app://moduleA/describe` or `files/*path`.
///
/// The package's README contains the grammar and examples. Thread-safe. Source: seed 4's routes.
public struct RoutePattern: Sendable, CustomStringConvertible {
    /// The maximum number of segments in a pattern, which bounds the depth of a search.
    public static let maximumSegments = 64
    /// The maximum number of optional groups in a pattern, which limits a pattern to 32 shapes.
    public static let maximumGroups = 5

    /// The pattern's text.
    public let description: String
    /// One shape for each combination of the optional groups.
    let shapes: [RouteShape]

    /// Parses a pattern.
    ///
    /// - Parameter text: The pattern, in the grammar of the README.
    /// - Throws: ``RouteError`` with `badPattern` and the offset in bytes of UTF-8.
    /// - Complexity: O(length × combinations of the groups), at most 32 combinations.
    public init(_ text: String) throws(RouteError) {
        var parser = RoutePatternParser(text)
        (description, shapes) = (text, try parser.parse())
    }
}
