/// A podspec, parsed with a strict grammar that allows only the lines and values that the exporter writes:
///
///     spec    = "Pod::Spec.new do |s|" *line "end"
///     line    = "  s." name " = " value / "  s." name ".deployment_target = " text
///             / "  s.dependency " text ", " text
///     value   = text / "[" text *(", " text) "]" / "{ " pair *(", " pair) " }"
///     pair    = ":" name " => " text
struct RubyPodspec {
    /// The strings of each line, by the line's name, such as `authors` or `dependency Ride`.
    private(set) var values: [String: [String]] = [:]

    init?(_ source: String) {
        guard source.hasSuffix("\nend\n") else { return nil }
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2)
        guard lines.first == "Pod::Spec.new do |s|" else { return nil }
        for line in lines.dropFirst() {
            guard let (name, texts) = Self.line(line) else { return nil }
            values[name] = texts
        }
    }

    private static func line(_ line: Substring) -> (String, [String])? {
        if let match = line.wholeMatch(of: #/  s\.dependency (".*")/#),
            let texts = texts(match.1), texts.count == 2
        {
            return ("dependency " + texts[0], texts)
        }
        guard let match = line.wholeMatch(of: #/  s\.([a-z_]+(?:\.deployment_target)?) = (.*)/#) else {
            return nil
        }
        let (name, value) = (String(match.1), match.2)
        let list: Substring
        switch value.first {
        case "[" where value.hasSuffix("]"): list = value.dropFirst().dropLast()
        case "{" where value.hasPrefix("{ :") && value.hasSuffix(" }"):
            return texts(value.dropFirst(2).dropLast(2), areKeyed: true).map { (name, $0) }
        default: list = value
        }
        return texts(list).flatMap { $0.count == 1 || list != value ? (name, $0) : nil }
    }

    /// Parses strings separated by commas. If `areKeyed`, each string follows a key.
    private static func texts(_ list: Substring, areKeyed: Bool = false) -> [String]? {
        var (rest, texts) = (list, [String]())
        repeat {
            if !texts.isEmpty {
                guard rest.hasPrefix(", ") else { return nil }
                rest = rest.dropFirst(2)
            }
            if areKeyed {
                guard let key = rest.prefixMatch(of: #/:[a-z]+ => /#) else { return nil }
                rest = rest[key.range.upperBound...]
            }
            guard let text = RubyText(startOf: rest) else { return nil }
            texts.append(text.text)
            rest = text.rest
        } while !rest.isEmpty
        return texts
    }
}

/// A Ruby string in double quotes that contains no interpolation:
///
///     text    = DQUOTE *(char / "\\" DQUOTE / "\\\\" / "\\#" / "\\u{" 1*hex "}") DQUOTE
///     char    = any but DQUOTE, "\\", "#" and controls
struct RubyText {
    let text: String
    let rest: Substring

    /// Parses a source that consists of exactly one string.
    init?(_ source: String) {
        self.init(startOf: source[...])
        guard rest.isEmpty else { return nil }
    }

    init?(startOf source: Substring) {
        var scalars = source.unicodeScalars
        var text = String.UnicodeScalarView()
        guard scalars.popFirst() == "\"" else { return nil }
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"":
                (self.text, rest) = (String(text), Substring(scalars))
                return
            case "\\":
                guard let next = scalars.popFirst() else { return nil }
                switch next {
                case "\"", "\\", "#": text.append(next)
                case "u":
                    guard scalars.popFirst() == "{", let end = scalars.firstIndex(of: "}"),
                        let value = UInt32(String(scalars[..<end]), radix: 16),
                        let named = Unicode.Scalar(value)
                    else { return nil }
                    text.append(named)
                    scalars = scalars[scalars.index(after: end)...]
                default: return nil
                }
            case "#": return nil
            case _ where scalar.properties.generalCategory == .control: return nil
            default: text.append(scalar)
            }
        }
        return nil
    }
}
