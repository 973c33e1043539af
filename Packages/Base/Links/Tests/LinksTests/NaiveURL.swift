import Links

/// A second implementation of the grammar, simple enough to be obviously correct.
///
/// This parser splits the text at the first occurrence of each delimiter, beginning with the fragment, and
/// decodes the parts. It reports neither the offset of an error nor the reason.
struct NaiveURL: Equatable {
    struct Item: Equatable {
        let name: String
        let value: String
    }

    var scheme: String?
    var host: String?
    var path: [String] = []
    var query: [Item] = []
    var fragment: String?

    typealias Text = [Unicode.Scalar]

    init?(_ bytes: [UInt8]) {
        guard let string = String(validating: bytes, as: UTF8.self) else { return nil }
        var rest = Array(string.unicodeScalars)
        guard !rest.isEmpty, bytes.count <= 65_536,
            !rest.contains(where: { $0.value <= 32 || $0.value == 127 })
        else { return nil }
        if let (before, after) = Self.cut(rest, "#") {
            guard let text = Self.decode(after), !Self.isHalfEncoded(after) else { return nil }
            (rest, fragment) = (before, text)
        }
        if let (before, after) = Self.cut(rest, "?") {
            if Self.isHalfEncoded(after) { return nil }
            for piece in after.split(separator: "&") {
                let (name, value) = Self.cut(Text(piece), "=") ?? (Text(piece), [])
                guard let name = Self.decode(name.map { $0 == "+" ? " " : $0 }),
                    let value = Self.decode(value.map { $0 == "+" ? " " : $0 })
                else { return nil }
                query.append(Item(name: name, value: value))
            }
            rest = before
        }
        if let (before, after) = Self.cut(rest, ":"), !before.contains("/") {
            let text = String(String.UnicodeScalarView(before))
            guard text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) != nil else { return nil }
            (scheme, rest) = (text.lowercased(), after)
        }
        if rest.starts(with: ["/", "/"]) {
            let authority = Text(rest.dropFirst(2).prefix { $0 != "/" })
            rest = Text(rest.dropFirst(2 + authority.count))
            if authority.contains(where: { "@:[]".unicodeScalars.contains($0) }) { return nil }
            guard !Self.isHalfEncoded(authority), let text = Self.decode(authority),
                text.utf8.allSatisfy({ $0 < 128 }),
                text.lowercased().split(separator: ".").allSatisfy({ !$0.starts(with: "xn--") })
            else { return nil }
            host = text.isEmpty ? nil : text.lowercased()
        }
        if Self.isHalfEncoded(rest) { return nil }
        for piece in rest.split(separator: "/") {
            guard let text = Self.decode(Text(piece)) else { return nil }
            path.append(text)
        }
    }

    init(_ url: AppURL) {
        scheme = url.scheme
        host = url.host
        path = Array(url.path)
        query = url.query.map { Item(name: $0.name, value: $0.value) }
        fragment = url.fragment
    }

    private static func isHalfEncoded(_ text: Text) -> Bool {
        text.contains("%") && text.contains { !$0.isASCII || "[]|\\\"<>^`{}#".unicodeScalars.contains($0) }
    }

    private static func cut(_ text: Text, _ mark: Unicode.Scalar) -> (Text, Text)? {
        guard let index = text.firstIndex(of: mark) else { return nil }
        return (Text(text[..<index]), Text(text[(index + 1)...]))
    }

    private static func decode(_ text: Text) -> String? {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let first = rest.popFirst() {
            guard first == "%" else {
                bytes += String(first).utf8
                continue
            }
            let digits = String(String.UnicodeScalarView(rest.prefix(2)))
            guard digits.wholeMatch(of: /[0-9A-Fa-f]{2}/) != nil, let byte = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
