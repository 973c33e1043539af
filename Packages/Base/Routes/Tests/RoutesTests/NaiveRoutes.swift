import Routes

/// A second implementation of the matching rules, simple enough to be obviously correct.
///
/// Every pattern is expanded into its shapes when it is added. A URL is compared with all shapes, and the best match
/// wins.
struct NaiveRoutes {
    enum Kind: Equatable {
        case literal(String)
        case typed(String, String)
        case parameter(String)
        case wildcard(String)

        var rank: String {
            switch self {
            case .literal: "0"
            case .typed(_, "bool"): "2"
            case .typed(_, "int"): "3"
            case .typed(_, "double"): "4"
            case .typed: "4i"
            case .parameter: "5"
            case .wildcard: "6"
            }
        }

        /// The kind without the parameter's name.
        var shape: String {
            switch self {
            case .literal(let text): "0\(text)"
            case .typed(_, let type): "1\(type)"
            case .parameter, .wildcard: rank
            }
        }
    }

    struct Line {
        let id: Int
        let scheme: String?
        let kinds: [Kind]

        var endsInWildcard: Bool { if case .wildcard = kinds.last { true } else { false } }

        var shape: String {
            "\(scheme ?? "-") \(kinds.first?.shape.lowercased() ?? "") \(kinds.dropFirst().map(\.shape))"
        }
    }

    private(set) var lines: [Line] = []

    /// Adds a pattern. Returns false if the pattern is ambiguous or conflicts with another pattern.
    ///
    /// - Parameter items: Each item is `[segment]`, or `["(", segments…]` for an optional group.
    mutating func add(_ id: Int, scheme: String?, items: [[String]]) -> Bool {
        var choices: [[String]] = [[]]
        for item in items {
            let isGroup = item.first == "("
            let with = choices.map { $0 + (isGroup ? Array(item.dropFirst()) : item) }
            choices = isGroup ? with + choices : with
        }
        let new = choices.map { Line(id: id, scheme: scheme, kinds: $0.map(Self.kind)) }
        let shapes = new.map(\.shape)
        if Set(shapes).count < shapes.count || lines.contains(where: { shapes.contains($0.shape) }) {
            return false
        }
        lines += new
        return true
    }

    /// The patterns that would match if case did not matter and typed parameters accepted every text.
    func similar(scheme: String?, _ segments: [String]) -> Set<Int> {
        let lines = lines.filter { line in
            (line.scheme == nil || line.scheme == scheme)
                && line.kinds.count <= segments.count
                && (line.kinds.count == segments.count || line.endsInWildcard)
                && zip(line.kinds, segments).allSatisfy { kind, text in
                    if case .literal(let literal) = kind {
                        literal.lowercased() == text.lowercased()
                    } else {
                        true
                    }
                }
        }
        return Set(lines.map(\.id))
    }

    func match(scheme: String?, hasHost: Bool, _ segments: [String]) -> (id: Int, values: [String: String])? {
        var segments = segments
        if hasHost, let host = segments.first { segments[0] = host.lowercased() }
        let matching = lines.compactMap { line in values(line, scheme, hasHost, segments).map { (line, $0) } }
        let own = matching.filter { $0.0.scheme != nil }
        let candidates = own.isEmpty ? matching : own
        let best =
            candidates.min { $0.0.kinds.map(\.rank).lexicographicallyPrecedes($1.0.kinds.map(\.rank)) }
        return best.map { ($0.0.id, $0.1) }
    }

    static func kind(_ text: String) -> Kind {
        if text.hasPrefix("*") { return .wildcard(text == "*" ? "*" : String(text.dropFirst())) }
        guard text.hasPrefix(":") else { return .literal(text) }
        let parts = text.dropFirst().dropLast(text.hasSuffix(">") ? 1 : 0).split(separator: "<").map(
            String.init)
        return parts.count == 2 ? .typed(parts[0], parts[1]) : .parameter(parts[0])
    }

    private func values(_ line: Line, _ scheme: String?, _ hasHost: Bool, _ segments: [String]) -> [String:
        String]?
    {
        if let own = line.scheme, own != scheme { return nil }
        var values: [String: String] = [:]
        for (index, kind) in line.kinds.enumerated() {
            guard index < segments.count else { return nil }
            let text = segments[index]
            switch kind {
            case .literal(let literal):
                guard hasHost && index == 0 ? literal.lowercased() == text : literal == text else {
                    return nil
                }
            case .parameter(let name): values[name] = text
            case .typed(let name, let type):
                let shown: String? =
                    switch type {
                    case "int":
                        text.wholeMatch(of: /-?[0-9]+/) == nil ? nil : Int(text).map { "\($0)" }
                    case "bool": ["true", "false"].contains(text) ? text : nil
                    case "id":
                        text.wholeMatch(of: /[A-Za-z0-9_.\-]+/) == nil || text == "." || text == ".."
                            ? nil : text
                    default:
                        text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?([eE][+\-]?[0-9]+)?/) == nil
                            ? nil : Double(text).flatMap { $0.isFinite ? "\($0)" : nil }
                    }
                guard let shown else { return nil }
                values[name] = shown
            case .wildcard(let name):
                values[name] = segments[index...].joined(separator: "|")
                return values
            }
        }
        return segments.count == line.kinds.count ? values : nil
    }
}
