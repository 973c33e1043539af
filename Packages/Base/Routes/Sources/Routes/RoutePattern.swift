import Links

/// Describes the URLs that a route matches, for example `ride/:id<int>(/seat/:seat)`,
/// `app://moduleA/describe` or `files/*path`.
///
/// The package's README contains the grammar and examples. Two patterns are equal if they have the same
/// scheme, segments and groups, including the parameters' names. Thread-safe. Source: seed 4's routes.
public struct RoutePattern: Hashable, Sendable, CustomStringConvertible {
    /// One segment of a pattern.
    enum Segment: Hashable, Sendable {
        case literal(String)
        case parameter(String, ParameterType?)
        case wildcard(String)

        var name: String? {
            switch self {
            case .literal: nil
            case .parameter(let name, _), .wildcard(let name): name
            }
        }
    }

    /// A segment, or an optional group in parentheses.
    enum Item: Hashable, Sendable {
        case segment(Segment)
        case group([Item])
    }

    /// The maximum number of segments in a pattern, which bounds the depth of a search.
    public static let maximumSegments = 64
    /// The maximum number of optional groups in a pattern, which limits a pattern to 32 shapes.
    public static let maximumGroups = 5

    /// The scheme in lower case; nil if the pattern matches URLs with any scheme or none.
    public let scheme: String?
    /// Whether the first segment was written as a host, after `//`.
    let hasHost: Bool
    let items: [Item]
    /// One shape for each combination of the optional groups.
    let shapes: [RouteShape]

    /// Parses a pattern.
    ///
    /// - Parameter text: The pattern, in the grammar of the README.
    /// - Throws: ``RouteError`` with `badPattern` and the offset in bytes of UTF-8.
    /// - Complexity: O(length × combinations of the groups), at most 32 combinations.
    public init(_ text: String) throws(RouteError) {
        var parser = RoutePatternParser(text)
        (scheme, hasHost, items) = try parser.parse()
        shapes = Self.expand(items[...]).map { [scheme] in RouteShape(scheme: scheme, segments: $0) }
        try parser.check(shapes)
    }

    /// The pattern's canonical text. Parsing the text gives an equal pattern.
    public var description: String {
        let prefix = scheme.map { hasHost ? "\($0)://" : "\($0):/" } ?? (hasHost ? "//" : "")
        let path = Self.text(items)
        if path.isEmpty { return scheme == nil ? "/" : prefix }
        // The first slash is dropped, because a prefix already ends in a slash and a name such as `bybus_vc`
        // begins without a slash.
        return path.hasPrefix("/") ? prefix + path.dropFirst() : prefix + path
    }

    private static func text(_ items: [Item]) -> String {
        items.map { item in
            switch item {
            case .segment(.literal(let text)): "/\(AppURL.percentEncoded(text))"
            case .segment(.parameter(let name, let type?)): "/:\(name)<\(type.rawValue)>"
            case .segment(.parameter(let name, nil)): "/:\(name)"
            case .segment(.wildcard("*")): "/*"
            case .segment(.wildcard(let name)): "/*\(name)"
            // A group that begins another group needs a slash before it: (/(/a)/b).
            case .group(let inner): inner.beginsWithGroup ? "(/\(text(inner)))" : "(\(text(inner)))"
            }
        }.joined()
    }

    private static func expand(_ items: ArraySlice<Item>) -> [[Segment]] {
        guard let first = items.first else { return [[]] }
        let rest = expand(items.dropFirst())
        switch first {
        case .segment(let segment): return rest.map { [segment] + $0 }
        case .group(let inner):
            return expand(inner[...]).flatMap { choice in rest.map { choice + $0 } } + rest
        }
    }
}

extension [RoutePattern.Item] {
    fileprivate var beginsWithGroup: Bool {
        if case .group = first { true } else { false }
    }
}
