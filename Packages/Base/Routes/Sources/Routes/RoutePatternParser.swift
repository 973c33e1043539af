import Links

/// Parses a pattern from front to back.
struct RoutePatternParser {
    private let text: String
    private let bytes: [UInt8]
    private var index = 0
    /// The offset of the host, if the pattern has a `//` before it.
    private var host: Int?
    private var segments = 0
    private var groups = 0
    private var names: Set<String> = []

    init(_ text: String) {
        (self.text, bytes) = (text, Array(text.utf8))
    }

    /// Parses the whole text.
    ///
    /// - Returns: The pattern's shapes.
    mutating func parse() throws(RouteError) -> [RouteShape] {
        if bytes.isEmpty {
            throw bad(0, "the pattern is empty. An empty string names no route. Write \"/\" for the root.")
        }
        if bytes.count > AppURL.maximumLength {
            throw bad(AppURL.maximumLength, "the pattern is too long. No valid URL is that long. Shorten it.")
        }
        if let unfit = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F || "?#".utf8.contains($0) }) {
            throw bad(
                unfit,
                "a space, a control character, \"?\" or \"#\" is not encoded. A pattern describes only a path, and "
                    + "handlers read the query from the parameters. Percent-encode the character, or remove the query."
            )
        }
        let scheme = parseScheme()
        if bytes[index...].starts(with: "//".utf8) {
            index += 2
            host = index
        }
        let shapes = try parseChoices(inGroup: nil).map { RouteShape(scheme: scheme, segments: $0) }
        try check(shapes)
        return shapes
    }

    /// Checks the rules that apply to every combination of the groups.
    private func check(_ shapes: [RouteShape]) throws(RouteError) {
        for segment in shapes.flatMap({ $0.segments.dropLast() }) {
            guard case .wildcard = segment else { continue }
            throw bad(
                bytes.firstIndex(of: Self.star) ?? 0,
                "\"*\" is not the last segment. It would also match the segments that follow. "
                    + "Move it to the end, or use :name for one segment.")
        }
        if Set(shapes.map(\.key)).count < shapes.count {
            throw bad(
                0,
                "two combinations of the groups have the same shape. It would be ambiguous which group a segment "
                    + "belongs to. Put one group inside the other: (/:a(/:b)).")
        }
    }

    private mutating func parseScheme() -> String? {
        guard let colon = bytes.firstIndex(of: Self.colon), colon + 1 < bytes.count,
            bytes[colon + 1] == Self.slash,
            let scheme = try? AppURL(String(decoding: bytes[...colon], as: UTF8.self)).scheme
        else { return nil }
        index = colon + 1
        return scheme
    }

    /// Parses segments and groups up to the end of the text, or of the group that begins at `start`.
    ///
    /// - Returns: The segments, once for each combination of the groups among them.
    private mutating func parseChoices(inGroup start: Int?) throws(RouteError) -> [[RouteShape.Segment]] {
        var choices: [[RouteShape.Segment]] = [[]]
        var afterGroup = false
        while index < bytes.count {
            switch bytes[index] {
            case Self.slash:
                index += 1
                afterGroup = false
            case Self.open:
                let group = try parseGroup()
                choices = choices.flatMap { choice in group.map { choice + $0 } } + choices
                afterGroup = true
            case Self.close:
                guard let start else {
                    throw bad(
                        index,
                        "\")\" has no opening \"(\". Parentheses come in pairs. Remove it, or write %29.")
                }
                if choices == [[]] {
                    throw bad(start, "a group is empty. An empty group has no effect. Remove it.")
                }
                index += 1
                return choices
            default:
                if afterGroup {
                    throw bad(
                        index,
                        "text directly follows a group. A group contains whole segments. Write \"/\" after the \")\"."
                    )
                }
                let segment = try parseSegment()
                for choice in choices.indices { choices[choice].append(segment) }
            }
        }
        if let start {
            throw bad(start, "a group is not closed. Parentheses come in pairs. Add the \")\".")
        }
        return choices
    }

    private mutating func parseGroup() throws(RouteError) -> [[RouteShape.Segment]] {
        groups += 1
        if groups > RoutePattern.maximumGroups {
            throw bad(
                index,
                "the pattern has more than \(RoutePattern.maximumGroups) groups. Every group doubles the number of "
                    + "shapes. Split it into two patterns.")
        }
        index += 1
        guard index < bytes.count, bytes[index] == Self.slash else {
            throw bad(
                index, "a group does not begin with \"/\". A group contains whole segments. Write \"(/\".")
        }
        return try parseChoices(inGroup: index)
    }

    private mutating func parseSegment() throws(RouteError) -> RouteShape.Segment {
        let start = index
        index =
            bytes[start...].firstIndex { $0 == Self.slash || $0 == Self.open || $0 == Self.close }
            ?? bytes.count
        segments += 1
        if segments > RoutePattern.maximumSegments {
            throw bad(
                start,
                "the pattern has more than \(RoutePattern.maximumSegments) segments. The limit bounds the depth of a "
                    + "search. Shorten it, or end it with \"*\".")
        }
        switch bytes[start] {
        case Self.colon: return try parseParameter((start + 1)..<index)
        case Self.star:
            return .wildcard(
                start + 1 == index ? try use("*", at: start) : try parseName((start + 1)..<index))
        default: return .literal(try parseLiteral(start..<index))
        }
    }

    private mutating func parseParameter(_ part: Range<Int>) throws(RouteError) -> RouteShape.Segment {
        guard let open = bytes[part].firstIndex(of: UInt8(ascii: "<")) else {
            return .parameter(try parseName(part), nil)
        }
        let type = String(decoding: bytes[(open + 1)..<part.upperBound], as: UTF8.self)
        guard type.hasSuffix(">"), let type = ParameterType(rawValue: String(type.dropLast())) else {
            let known = ParameterType.allCases.map(\.rawValue).joined(separator: ", ")
            throw bad(
                open,
                "the parameter's type is unknown, or its \">\" is missing. The types are \(known). "
                    + "Write, for example, :name<int>.")
        }
        return .parameter(try parseName(part.lowerBound..<open), type)
    }

    /// Parses a name: a letter or `_`, followed by letters, digits and `_`. Reserved names begin with `@`, so they are
    /// errors.
    private mutating func parseName(_ part: Range<Int>) throws(RouteError) -> String {
        let name = String(decoding: bytes[part], as: UTF8.self)
        let isName = name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_")
        }
        guard isName, let first = name.first, !first.isNumber else {
            throw bad(
                part.lowerBound,
                "a parameter has no valid name. Handlers read a parameter by a name of letters, digits and \"_\". "
                    + "Correct the name, or percent-encode the first character of the segment.")
        }
        return try use(name, at: part.lowerBound)
    }

    private mutating func use(_ name: String, at position: Int) throws(RouteError) -> String {
        guard names.insert(name).inserted else {
            throw bad(
                position,
                "the name \"\(name)\" occurs twice. One value would overwrite the other. Rename one parameter."
            )
        }
        return name
    }

    private func parseLiteral(_ part: Range<Int>) throws(RouteError) -> String {
        if let special = bytes[part].firstIndex(where: { $0 == Self.colon || $0 == Self.star }) {
            throw bad(
                special,
                "\":\" or \"*\" occurs inside a segment. These characters begin a parameter or a wildcard. "
                    + "Write %3A or %2A for the character itself, or \"://\" after a scheme.")
        }
        let text: String
        do {
            text = try AppURL.percentDecoded(String(decoding: bytes[part], as: UTF8.self))
        } catch {
            throw bad(part.lowerBound + error.position, error.explanation)
        }
        if part.lowerBound == host, !AppURL.isHost(text.lowercased()) {
            throw bad(
                part.lowerBound,
                "the host is not ASCII. Systems rewrite such a host, so no link would match. "
                    + "Name the host in ASCII, and write other letters in the path.")
        }
        return text
    }

    private func bad(_ position: Int, _ because: String) -> RouteError {
        RouteError(.badPattern(at: position, because: because), pattern: text)
    }

    // The characters with a meaning.
    private static let slash = UInt8(ascii: "/")
    private static let colon = UInt8(ascii: ":")
    private static let star = UInt8(ascii: "*")
    private static let open = UInt8(ascii: "(")
    private static let close = UInt8(ascii: ")")
}
