import APIService

extension URLParts {
    /// Appends the canonical form of the URL to `result`: scheme and host in lower case; no user, default
    /// port or fragment; only the necessary escapes; the query sorted by name. Values with the same name keep
    /// their order.
    func appendCanonical(to result: inout [UInt8]) {
        let start = result.count
        result.append(contentsOf: scheme.lazy.map(Self.lowercased))
        let isDefault =
            switch port.map({ String(decoding: $0, as: UTF8.self) }) {
            case nil, "": true
            case "80": result[start...].elementsEqual("http".utf8)
            case "443": result[start...].elementsEqual("https".utf8)
            default: false
            }
        result.append(contentsOf: "://".utf8)
        result.append(contentsOf: host.lazy.map(Self.lowercased))
        if !isDefault, let port {
            result.append(UInt8(ascii: ":"))
            result.append(contentsOf: port)
        }
        if path.isEmpty { result.append(UInt8(ascii: "/")) }
        PercentEncoding.append(canonical: path, keeping: Self.slash, to: &result)
        if let query {
            result.append(UInt8(ascii: "?"))
            appendSorted(query, to: &result)
        }
    }

    private func appendSorted(_ query: Bytes, to result: inout [UInt8]) {
        let start = result.count
        var pairs: [(name: Range<Int>, pair: Range<Int>)] = []
        for pair in query.split(separator: UInt8(ascii: "&")) {
            if result.count > start { result.append(UInt8(ascii: "&")) }
            let first = result.count
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            PercentEncoding.append(canonical: name, keeping: Self.plus, to: &result)
            let end = result.count
            if name.endIndex < pair.endIndex {
                result.append(UInt8(ascii: "="))
                PercentEncoding.append(
                    canonical: pair[(name.endIndex + 1)...], keeping: Self.plus, to: &result)
            }
            pairs.append((first..<end, first..<result.count))
        }
        let written = result
        func precedes(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
            written[one].lexicographicallyPrecedes(written[other])
        }
        // The library's own queries are already sorted.
        if zip(pairs, pairs.dropFirst()).allSatisfy({ !precedes($1.name, $0.name) }) { return }
        pairs.sort { one, other in
            precedes(one.name, other.name)
                || (!precedes(other.name, one.name) && one.name.lowerBound < other.name.lowerBound)
        }
        result.removeSubrange(start...)
        result.append(
            contentsOf: pairs.map { written[$0.pair] }.joined(separator: CollectionOfOne(UInt8(ascii: "&"))))
    }

    /// A slash separates the segments of a path, but an escaped slash is part of a segment.
    private static let slash = PercentEncoding.Kept("/")
    /// "+" may mean a space, so it differs from "%2B".
    private static let plus = PercentEncoding.Kept("+")

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

extension PercentEncoding {
    /// Appends the canonical form of `bytes`, which are already escaped. The canonical form escapes only the
    /// bytes that need escaping. Bytes in `others` stay escaped or unescaped, because their two forms have
    /// different meanings. A `%` that is not followed by two hexadecimal digits is itself escaped.
    static func append(
        canonical bytes: some Collection<UInt8>, keeping others: Kept = unreserved, to result: inout [UInt8]
    ) {
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(value),
                let low = rest.dropFirst().first.flatMap(value)
            {
                rest = rest.dropFirst(2)
                let meant = high << 4 | low
                if unreserved.contains(meant) {
                    result.append(meant)
                } else {
                    append(escaped: meant, to: &result)
                }
            } else if others.contains(byte) {
                result.append(byte)
            } else {
                append(escaped: byte, to: &result)
            }
        }
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
