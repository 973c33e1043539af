import Links

/// The segments of a pattern for one combination of its optional groups.
struct RouteShape: Hashable, Sendable {
    /// A shape without its parameters' names. Shapes with equal keys match the same URLs.
    struct Key: Hashable, Sendable {
        let scheme: String?
        let kinds: [Kind]
    }

    /// A segment without its name.
    enum Kind: Hashable, Sendable {
        case literal(String)
        case typed(ParameterType)
        case parameter
        case wildcard
    }

    let scheme: String?
    let segments: [RoutePattern.Segment]

    /// The first segment if it is a literal, which may be matched by a host.
    var first: String? {
        if case .literal(let text) = segments.first { text } else { nil }
    }

    /// The key. The first literal is compared without case, because a URL may have it as its host.
    var key: Key {
        Key(
            scheme: scheme,
            kinds: segments.enumerated().map { index, segment in
                switch segment {
                case .literal(let text): .literal(index == 0 ? AppURL.folded(text) : text)
                case .parameter(_, let type?): .typed(type)
                case .parameter(_, nil): .parameter
                case .wildcard: .wildcard
                }
            })
    }
}
