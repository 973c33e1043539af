import Links

/// Parses a pattern from front to back.
struct RoutePatternParser {
    private let text: String
    private let bytes: [UInt8]
    private var index = 0
    private var segments = 0
    private var groups = 0
    private var names: Set<String> = []
    private var wildcardPosition = 0

    init(_ text: String) {
        self.text = text
        self.bytes = Array(text.utf8)
    }

    mutating func parse() throws(RouteError) -> (String?, hasHost: Bool, [RoutePattern.Item]) {
        guard !bytes.isEmpty else {
            throw bad(
                0, "the pattern is empty", "An empty string names no route",
                "Write a name, or \"/\" for the root")
        }
        guard bytes.count <= AppURL.maximumLength else {
            throw bad(
                AppURL.maximumLength, "the pattern is too long", "No valid URL is that long", "Shorten it")
        }
        for (offset, byte) in bytes.enumerated() {
            switch byte {
            case 0...0x20, 0x7F:
                throw bad(
                    offset, "a space or control character is not encoded", "A URL cannot contain one",
                    "Percent-encode it")
            case UInt8(ascii: "?"), UInt8(ascii: "#"):
                throw bad(
                    offset, "the pattern has a query or a fragment",
                    "Only the path decides which route is called",
                    "Read the query's values from the parameters, or percent-encode the character")
            default: break
            }
        }
        let scheme = parseScheme()
        var hasHost = false
        if bytes[index...].starts(with: "//".utf8) {
            index += 2
            hasHost =
                index < bytes.count && bytes[index] != UInt8(ascii: "/") && bytes[index] != UInt8(ascii: "(")
        }
        let hostPosition = index
        let items = try parseItems(isGroup: false)
        if hasHost, case .segment(.literal(let host)) = items.first, !AppURL.isHost(host) {
            throw bad(
                hostPosition, "the host is not ASCII", "Systems rewrite such a host, so no link would match",
                "Name the host in ASCII, and write other letters in the path")
        }
        return (scheme, hasHost, items)
    }

    /// Checks the rules that apply to every combination of the groups.
    func check(_ shapes: [RouteShape]) throws(RouteError) {
        for shape in shapes {
            for segment in shape.segments.dropLast() {
                guard case .wildcard = segment else { continue }
                throw bad(
                    wildcardPosition, "\"*\" is not the last segment",
                    "It would also match the segments that follow",
                    "Move it to the end, or use :name for one segment")
            }
        }
        if Set(shapes.map(\.key)).count < shapes.count {
            throw bad(
                0, "two combinations of the pattern's groups have the same shape",
                "It would be ambiguous which group a segment belongs to",
                "Put one group inside the other: (/:a(/:b))")
        }
    }

    private mutating func parseScheme() -> String? {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 1 < bytes.count,
            bytes[colon + 1] == UInt8(ascii: "/"),
            let scheme = try? AppURL(String(decoding: bytes[...colon], as: UTF8.self)).scheme
        else { return nil }
        index = colon + 1
        return scheme
    }

    private mutating func parseItems(isGroup: Bool) throws(RouteError) -> [RoutePattern.Item] {
        let start = index
        var items: [RoutePattern.Item] = []
        var afterGroup = false
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "/"):
                index += 1
                afterGroup = false
            case UInt8(ascii: "("):
                items.append(try parseGroup())
                afterGroup = true
            case UInt8(ascii: ")"):
                guard isGroup else {
                    throw bad(
                        index, "\")\" has no opening \"(\"", "Parentheses come in pairs",
                        "Remove it, or write %29")
                }
                guard !items.isEmpty else {
                    throw bad(start, "a group is empty", "An empty group has no effect", "Remove it")
                }
                index += 1
                return items
            default:
                if afterGroup {
                    throw bad(
                        index, "text directly follows a group", "A group contains whole segments",
                        "Write \"/\" after the \")\"")
                }
                items.append(.segment(try parseSegment()))
            }
        }
        if isGroup {
            throw bad(start, "a group is not closed", "Parentheses come in pairs", "Add the \")\"")
        }
        return items
    }

    private mutating func parseGroup() throws(RouteError) -> RoutePattern.Item {
        groups += 1
        if groups > RoutePattern.maximumGroups {
            throw bad(
                index, "the pattern has more than \(RoutePattern.maximumGroups) groups",
                "Every group doubles the number of shapes",
                "Split it into two patterns")
        }
        index += 1
        guard index < bytes.count, bytes[index] == UInt8(ascii: "/") else {
            throw bad(
                index, "a group does not begin with \"/\"", "A group contains whole segments",
                "Write \"(/\"")
        }
        return .group(try parseItems(isGroup: true))
    }

    private mutating func parseSegment() throws(RouteError) -> RoutePattern.Segment {
        let start = index
        let end = bytes[start...].firstIndex { byte in
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")")
        }
        index = end ?? bytes.count
        segments += 1
        if segments > RoutePattern.maximumSegments {
            throw bad(
                start, "the pattern has more than \(RoutePattern.maximumSegments) segments",
                "The limit bounds the depth of a search",
                "Shorten it, or end it with \"*\"")
        }
        switch bytes[start] {
        case UInt8(ascii: ":"): return try parseParameter(from: start + 1, to: index)
        case UInt8(ascii: "*"):
            wildcardPosition = start
            return .wildcard(
                start + 1 == index ? try use("*", at: start) : try name(from: start + 1, to: index))
        default: return .literal(try parseLiteral(from: start, to: index))
        }
    }

    private mutating func parseParameter(from start: Int, to end: Int) throws(RouteError)
        -> RoutePattern.Segment
    {
        guard let open = bytes[start..<end].firstIndex(of: UInt8(ascii: "<")) else {
            return .parameter(try name(from: start, to: end), nil)
        }
        guard bytes[end - 1] == UInt8(ascii: ">"),
            let type = ParameterType(rawValue: String(decoding: bytes[(open + 1)..<(end - 1)], as: UTF8.self))
        else {
            let known = ParameterType.allCases.map(\.rawValue).joined(separator: ", ")
            throw bad(
                open, "the parameter's type is unknown, or its \">\" is missing", "The types are \(known)",
                "Write, for example, :name<int>")
        }
        return .parameter(try name(from: start, to: open), type)
    }

    /// Parses a name: a letter or `_`, followed by letters, digits and `_`. Reserved names begin with `@`, so they are
    /// errors.
    private mutating func name(from start: Int, to end: Int) throws(RouteError) -> String {
        let isName =
            start < end
            && bytes[start..<end].enumerated().allSatisfy { offset, byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "_"):
                    true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): offset > 0
                default: false
                }
            }
        guard isName else {
            throw bad(
                start, "a parameter has no valid name",
                "Handlers read a parameter by a name of letters, digits and \"_\"",
                "Correct the name, or percent-encode the first character of the segment")
        }
        return try use(String(decoding: bytes[start..<end], as: UTF8.self), at: start)
    }

    private mutating func use(_ name: String, at position: Int) throws(RouteError) -> String {
        guard names.insert(name).inserted else {
            throw bad(
                position, "the name \"\(name)\" occurs twice", "One value would overwrite the other",
                "Rename one parameter")
        }
        return name
    }

    private func parseLiteral(from start: Int, to end: Int) throws(RouteError) -> String {
        if let special = bytes[start..<end].firstIndex(where: {
            $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "*")
        }) {
            throw bad(
                special, "\":\" or \"*\" occurs inside a segment",
                "These characters begin a parameter or a wildcard",
                "Write %3A or %2A for the character itself, or \"://\" after a scheme")
        }
        do {
            return try AppURL.percentDecoded(String(decoding: bytes[start..<end], as: UTF8.self))
        } catch {
            throw bad(
                start + error.position, "a percent sequence is invalid", "It does not decode to text",
                "Write a percent sign as %25")
        }
    }

    private func bad(_ position: Int, _ what: String, _ why: String, _ fix: String) -> RouteError {
        RouteError(.badPattern(at: position, because: "\(what). \(why). \(fix)."), pattern: text)
    }
}
