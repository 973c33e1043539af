/// A pattern's segments with one choice of its groups: what the trie holds.
struct RouteShape: Hashable, Sendable {
    /// What decides whether two shapes answer the same URLs: all but the parameters' names.
    struct Key: Hashable, Sendable {
        let scheme: String?
        let kinds: [Kind]
    }

    /// A segment without its name, in the order of the total order: literal, typed, parameter, wildcard.
    enum Kind: Hashable, Sendable {
        case literal(String)
        case typed(ParameterType)
        case parameter
        case wildcard
    }

    let scheme: String?
    let segments: [RoutePattern.Segment]
    /// How many parameters it has.
    private let names: Int

    init(scheme: String?, segments: [RoutePattern.Segment]) {
        self.scheme = scheme
        self.segments = segments
        self.names = segments.count { $0.name != nil }
    }

    var key: Key {
        Key(
            scheme: scheme,
            kinds: segments.map { segment in
                switch segment {
                case .literal(let text): .literal(text)
                case .parameter(_, let type?): .typed(type)
                case .parameter(_, nil): .parameter
                case .wildcard: .wildcard
                }
            })
    }

    /// The values of the parameters in a URL's segments that this shape matches.
    ///
    /// - Returns: The values, or the first parameter whose text its type does not accept.
    func values(
        in texts: ArraySlice<String>
    ) -> (values: [String: any Sendable], rejected: (name: String, type: ParameterType, text: String)?) {
        var values: [String: any Sendable] = [:]
        values.reserveCapacity(names)
        for (segment, index) in zip(segments, texts.indices) {
            switch segment {
            case .literal: break
            case .parameter(let name, nil): values[name] = texts[index]
            case .parameter(let name, let type?):
                guard let value = type.value(of: texts[index]) else {
                    return ([:], (name, type, texts[index]))
                }
                values[name] = value
            case .wildcard(let name): values[name] = Array(texts[index...])
            }
        }
        return (values, nil)
    }
}
