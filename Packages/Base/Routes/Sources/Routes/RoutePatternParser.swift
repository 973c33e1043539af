import URLGrammar

/// Takes a pattern's text apart, front to back.
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
            throw bad(0, "it is empty", "An empty text names nothing", "Write a name, or \"/\" for the root")
        }
        guard bytes.count <= AppURL.maximumLength else {
            throw bad(AppURL.maximumLength, "it is too long", "No URL of that length is parsed", "Shorten it")
        }
        for (offset, byte) in bytes.enumerated() {
            switch byte {
            case 0...0x20, 0x7F:
                throw bad(
                    offset, "a space or control character stands as it is", "URLs hold none",
                    "Percent-encode it")
            case UInt8(ascii: "?"), UInt8(ascii: "#"):
                throw bad(
                    offset, "it has a query or a fragment", "Only the path decides which route is called",
                    "Read the query's values from the parameters, or write the character percent-encoded")
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
        return (scheme, hasHost, try parseItems(isGroup: false))
    }

    /// The rules that only show once the groups are expanded.
    func check(_ shapes: [RouteShape]) throws(RouteError) {
        for shape in shapes {
            for segment in shape.segments.dropLast() {
                guard case .wildcard = segment else { continue }
                throw bad(
                    wildcardPosition, "\"*\" does not stand at the end", "It would swallow what follows",
                    "Move it to the end, or use :name for one segment")
            }
        }
        if Set(shapes.map(\.key)).count < shapes.count {
            throw bad(
                0, "two choices of its groups look the same",
                "Which group a segment belongs to would be a guess",
                "Put one group inside of the other: (/:a(/:b))")
        }
    }

    private mutating func parseScheme() -> String? {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 1 < bytes.count,
            bytes[colon + 1] == UInt8(ascii: "/"),
            let url = try? AppURL(scheme: String(decoding: bytes[..<colon], as: UTF8.self))
        else { return nil }
        index = colon + 1
        return url.scheme
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
                        index, "\")\" closes no group", "Groups come in pairs", "Remove it, or write %29")
                }
                guard !items.isEmpty else {
                    throw bad(start, "a group is empty", "It would change nothing", "Remove it")
                }
                index += 1
                return items
            default:
                if afterGroup {
                    throw bad(
                        index, "text follows a group", "A group holds whole segments",
                        "Write \"/\" after the \")\"")
                }
                items.append(.segment(try parseSegment()))
            }
        }
        if isGroup { throw bad(start, "a group is not closed", "Groups come in pairs", "Write the \")\"") }
        return items
    }

    private mutating func parseGroup() throws(RouteError) -> RoutePattern.Item {
        groups += 1
        if groups > RoutePattern.maximumGroups {
            throw bad(
                index, "it has more than \(RoutePattern.maximumGroups) groups",
                "Every group doubles the shapes",
                "Write two patterns")
        }
        index += 1
        guard index < bytes.count, bytes[index] == UInt8(ascii: "/") else {
            throw bad(
                index, "a group does not begin with \"/\"", "A group holds whole segments", "Write \"(/\"")
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
                start, "it has more than \(RoutePattern.maximumSegments) segments",
                "It bounds a search's depth",
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
            throw bad(open, "the type is unknown or not closed", "The types are \(known)", "Write :name<int>")
        }
        return .parameter(try name(from: start, to: open), type)
    }

    /// A letter or `_`, then letters, digits and `_`; so no name is a reserved one.
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
                start, "a parameter has no proper name",
                "Handlers read it by a name of letters, digits and \"_\"",
                "Correct it, or write the first character of the segment percent-encoded")
        }
        return try use(String(decoding: bytes[start..<end], as: UTF8.self), at: start)
    }

    private mutating func use(_ name: String, at position: Int) throws(RouteError) -> String {
        guard names.insert(name).inserted else {
            throw bad(
                position, "\"\(name)\" stands twice", "One value would overwrite the other", "Rename one")
        }
        return name
    }

    private func parseLiteral(from start: Int, to end: Int) throws(RouteError) -> String {
        if let special = bytes[start..<end].firstIndex(where: {
            $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "*")
        }) {
            throw bad(
                special, "\":\" or \"*\" stands inside of a segment", "They begin a parameter or a wildcard",
                "Write %3A or %2A for the character itself, or \"://\" after a scheme")
        }
        do {
            return try AppURL.percentDecoded(String(decoding: bytes[start..<end], as: UTF8.self))
        } catch {
            throw bad(
                start + error.position, "a percent sequence is invalid", "It stands for no text",
                "Write a percent sign as %25")
        }
    }

    private func bad(_ position: Int, _ what: String, _ why: String, _ mend: String) -> RouteError {
        RouteError(.badPattern, pattern: text, position: position, detail: "\(what). \(why). \(mend)")
    }
}
