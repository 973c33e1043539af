import Links

/// Parses a pattern from front to back.
struct RoutePatternParser {
    /// What may be wrong with a pattern: what, why and how to fix it.
    private enum Problem: String {
        case empty = #"the pattern is empty, which names no route. Write "/" for the root."#
        case tooLong = "the pattern is longer than any valid URL. Shorten it."
        case unencoded =
            ##"a space, a control character, "?" or "#" is no part of a path. Encode it, or remove the query."##
        case starInside =
            #""*" would also match the segments after it. Move it to the end, or use :name for one segment."#
        case sameShape =
            "two combinations of the groups match the same URLs. Put one group inside the other: (/:a(/:b))."
        case unopened = #"")" has no opening "(". Remove it, or write %29."#
        case unclosed = #"a group is not closed. Add the ")"."#
        case emptyGroup = "a group is empty, which has no effect. Remove it."
        case afterGroup =
            #"text directly follows a group, which contains whole segments. Write "/" after the ")"."#
        case groupStart = #"a group contains whole segments, so it begins with "/". Write "(/"."#
        case groups =
            "the pattern has more than 5 groups, which double its shapes each. Split it into two patterns."
        case segments =
            #"the pattern has more than 64 segments, which bound the depth of a search. End it with "*"."#
        case name =
            #"a parameter's name is not of letters, digits and "_". Correct it, or encode the first character."#
        case special =
            #"":" or "*" inside a segment. Write %3A or %2A for the character, or "://" after a scheme."#
        case host =
            "the host is not ASCII, so systems rewrite it. Name it in ASCII; write other letters in the path."
    }

    private let text: String
    private let bytes: [UInt8]
    private var index = 0
    /// The offset of the host, if the pattern has a `//` before it.
    private var host: Int?
    private var segments = 0
    private var groups = 0
    private var names: Set<String> = []

    init(_ text: String) { (self.text, bytes) = (text, Array(text.utf8)) }

    /// Parses the whole text.
    ///
    /// - Returns: The pattern's shapes.
    mutating func parse() throws(RouteError) -> [RouteShape] {
        if bytes.isEmpty { throw bad(0, .empty) }
        if bytes.count > AppURL.maximumLength { throw bad(AppURL.maximumLength, .tooLong) }
        let unfit = bytes.firstIndex {
            $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
        }
        if let unfit { throw bad(unfit, .unencoded) }
        let scheme = parseScheme()
        if bytes[index...].starts(with: "//".utf8) {
            index += 2
            host = index
        }
        let shapes = try parseChoices(inGroup: nil).map { RouteShape(scheme: scheme, segments: $0) }
        // The rules that apply to every combination of the groups.
        for segment in shapes.flatMap({ $0.segments.dropLast() }) {
            if case .wildcard = segment { throw bad(bytes.firstIndex(of: Self.star) ?? 0, .starInside) }
        }
        if Set(shapes.map(\.key)).count < shapes.count { throw bad(0, .sameShape) }
        return shapes
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
                guard let start else { throw bad(index, .unopened) }
                if choices == [[]] { throw bad(start, .emptyGroup) }
                index += 1
                return choices
            default:
                if afterGroup { throw bad(index, .afterGroup) }
                let segment = try parseSegment()
                for choice in choices.indices { choices[choice].append(segment) }
            }
        }
        if let start { throw bad(start, .unclosed) }
        return choices
    }

    private mutating func parseGroup() throws(RouteError) -> [[RouteShape.Segment]] {
        groups += 1
        if groups > RoutePattern.maximumGroups { throw bad(index, .groups) }
        index += 1
        guard index < bytes.count, bytes[index] == Self.slash else { throw bad(index, .groupStart) }
        return try parseChoices(inGroup: index)
    }

    private mutating func parseSegment() throws(RouteError) -> RouteShape.Segment {
        let start = index
        let isEnd = { (byte: UInt8) in byte == Self.slash || byte == Self.open || byte == Self.close }
        index = bytes[start...].firstIndex(where: isEnd) ?? bytes.count
        segments += 1
        if segments > RoutePattern.maximumSegments { throw bad(start, .segments) }
        switch bytes[start] {
        case Self.colon: return try parseParameter((start + 1)..<index)
        case Self.star where start + 1 == index: return .wildcard("*")
        case Self.star: return .wildcard(try parseName((start + 1)..<index))
        default: return .literal(try parseLiteral(start..<index))
        }
    }

    private mutating func parseParameter(_ part: Range<Int>) throws(RouteError) -> RouteShape.Segment {
        guard let open = bytes[part].firstIndex(of: UInt8(ascii: "<")) else {
            return .parameter(try parseName(part), nil)
        }
        let type = String(decoding: bytes[(open + 1)..<part.upperBound], as: UTF8.self)
        guard let type = ParameterType.allCases.first(where: { "\($0)>" == type }) else {
            let known = ParameterType.allCases.map { "\($0)" }.joined(separator: ", ")
            throw bad(open, "the parameter's type is none of \(known). Write, for example, :name<int>.")
        }
        return .parameter(try parseName(part.lowerBound..<open), type)
    }

    /// Parses a name: a letter or `_`, followed by letters, digits and `_`. Reserved names begin with `@`, so they are
    /// errors.
    private mutating func parseName(_ part: Range<Int>) throws(RouteError) -> String {
        let name = String(decoding: bytes[part], as: UTF8.self)
        guard bytes[part].allSatisfy(\.isWordCharacter), let first = bytes[part].first, !first.isDigit else {
            throw bad(part.lowerBound, .name)
        }
        return try use(name, at: part.lowerBound)
    }

    private mutating func use(_ name: String, at position: Int) throws(RouteError) -> String {
        guard names.insert(name).inserted else {
            throw bad(position, "the name \"\(name)\" occurs twice, and one value would be lost. Rename one.")
        }
        return name
    }

    private func parseLiteral(_ part: Range<Int>) throws(RouteError) -> String {
        let special = bytes[part].firstIndex { $0 == Self.colon || $0 == Self.star }
        if let special { throw bad(special, .special) }
        let text: String
        do { text = try AppURL.percentDecoded(String(decoding: bytes[part], as: UTF8.self)) } catch {
            throw bad(part.lowerBound + error.position, error.explanation)
        }
        if part.lowerBound == host, !AppURL.isHost(text.lowercased()) { throw bad(part.lowerBound, .host) }
        return text
    }

    private func bad(_ position: Int, _ problem: Problem) -> RouteError { bad(position, problem.rawValue) }

    private func bad(_ position: Int, _ because: String) -> RouteError {
        RouteError(.badPattern(at: position, because: because), name: .route(text))
    }

    // The characters with a meaning.
    private static let slash = UInt8(ascii: "/")
    private static let colon = UInt8(ascii: ":")
    private static let star = UInt8(ascii: "*")
    private static let open = UInt8(ascii: "(")
    private static let close = UInt8(ascii: ")")
}
