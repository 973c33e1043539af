import URLGrammar

/// The URLs that a route answers, as a text: `ride/:id<int>(/seat/:seat)`, `app://moduleA/describe`,
/// `files/*path`.
///
/// The grammar, with examples, stands in the package's README. A pattern is a value: equal ones have the
/// same scheme and the same segments and groups, parameter names included. Safe on every thread.
/// Source: seed 4's routes.
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

    /// A segment, or a group in parentheses that may be left out.
    enum Item: Hashable, Sendable {
        case segment(Segment)
        case group([Item])
    }

    /// The most segments that one pattern may have; it bounds the depth of a search.
    public static let maximumSegments = 64
    /// The most optional groups that one pattern may have; it bounds its shapes to 32.
    public static let maximumGroups = 5

    /// The scheme in lower case; nil for a pattern that every scheme falls back to.
    public let scheme: String?
    /// Whether the first segment was written as a host, after `//`.
    let hasHost: Bool
    let items: [Item]
    /// The pattern's segments with each choice of its groups.
    let shapes: [RouteShape]

    /// Parses a pattern.
    ///
    /// - Parameter text: The pattern, in the grammar of the README.
    /// - Throws: ``RouteError`` `badPattern` with the offset in bytes of UTF-8.
    /// - Complexity: O(length), times at most 32 for its groups.
    public init(_ text: String) throws(RouteError) {
        var parser = RoutePatternParser(text)
        (scheme, hasHost, items) = try parser.parse()
        shapes = Self.expand(items[...]).map { [scheme] in RouteShape(scheme: scheme, segments: $0) }
        try parser.check(shapes)
    }

    /// The names of the pattern's parameters, in order; an unnamed wildcard's is `*`.
    public var parameterNames: [String] { Self.names(in: items, nested: true) }

    /// The pattern as text, in one canonical form: parsing it gives an equal pattern.
    public var description: String {
        let prefix = scheme.map { hasHost ? "\($0)://" : "\($0):/" } ?? (hasHost ? "//" : "")
        let path = Self.text(items)
        if path.isEmpty { return scheme == nil ? "/" : prefix }
        // The first segment's slash is the prefix's, or is left out for a name such as `bybus_vc`.
        return path.hasPrefix("/") ? prefix + path.dropFirst() : prefix + path
    }

    static func names(in items: [Item], nested: Bool) -> [String] {
        items.flatMap { item -> [String] in
            switch item {
            case .segment(let segment): segment.name.map { [$0] } ?? []
            case .group(let inner): nested ? names(in: inner, nested: true) : []
            }
        }
    }

    private static func text(_ items: [Item]) -> String {
        items.map { item in
            switch item {
            case .segment(.literal(let text)): "/\(AppURL.percentEncoded(text))"
            case .segment(.parameter(let name, let type?)): "/:\(name)<\(type.rawValue)>"
            case .segment(.parameter(let name, nil)): "/:\(name)"
            case .segment(.wildcard("*")): "/*"
            case .segment(.wildcard(let name)): "/*\(name)"
            // A group within a group that comes first needs a slash before it: (/(/a)/b).
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
