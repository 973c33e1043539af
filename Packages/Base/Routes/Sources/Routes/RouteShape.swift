/// The segments of a pattern for one combination of its optional groups.
struct RouteShape: Hashable, Sendable {
    /// A shape without its parameters' names. Shapes with equal keys match the same URLs.
    struct Key: Hashable, Sendable {
        let scheme: String?
        let kinds: [Kind]
    }

    /// A segment without its name. The cases are in the order in which a search tries them.
    enum Kind: Hashable, Sendable {
        case literal(String)
        case typed(ParameterType)
        case parameter
        case wildcard
    }

    let scheme: String?
    let segments: [RoutePattern.Segment]
    private let parameterCount: Int

    init(scheme: String?, segments: [RoutePattern.Segment]) {
        self.scheme = scheme
        self.segments = segments
        self.parameterCount = segments.count { $0.name != nil }
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

    /// Reads the parameters from the segments of a URL that this shape matches.
    ///
    /// - Returns: The values by name, or the first parameter whose type does not accept its text.
    func values(
        in texts: ArraySlice<String>
    ) -> (values: [String: any Sendable], rejected: (name: String, type: ParameterType, text: String)?) {
        var values: [String: any Sendable] = [:]
        values.reserveCapacity(parameterCount)
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
