/// Percent-encoding as specified by RFC 3986.
enum PercentEncoding {
    /// The bytes that are not escaped: the unreserved ones (letters, digits and `-._~`), and possibly others.
    struct Kept: Sendable {
        private var low: UInt64 = 0
        private var high: UInt64 = 0

        /// Creates a set of the unreserved bytes and the bytes of `others`, which must be ASCII.
        init(_ others: String = "") {
            let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
            for byte in (unreserved + others).utf8 {
                if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
            }
        }

        func contains(_ byte: UInt8) -> Bool {
            switch byte {
            case ..<64: low & 1 << UInt64(byte) != 0
            case ..<128: high & 1 << UInt64(byte - 64) != 0
            default: false
            }
        }
    }

    /// Only the unreserved bytes.
    static let unreserved = Kept()
    /// The bytes that are not escaped in a path, including its slashes.
    static let path = Kept("/!$&'()*+,;=:@")

    /// Returns `text` with every byte escaped that is not in `kept`.
    static func escape(_ text: some StringProtocol, keeping kept: Kept = unreserved) -> String {
        if text.utf8.allSatisfy(kept.contains) { return String(text) }
        var result: [UInt8] = []
        append(escaping: text.utf8, keeping: kept, to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    /// Appends `bytes`, escaping every byte that is not in `kept`.
    static func append(
        escaping bytes: some Sequence<UInt8>, keeping kept: Kept = unreserved, to result: inout [UInt8]
    ) {
        for byte in bytes {
            if kept.contains(byte) { result.append(byte) } else { append(escaped: byte, to: &result) }
        }
    }

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

    private static func append(escaped byte: UInt8, to result: inout [UInt8]) {
        result.append(UInt8(ascii: "%"))
        result.append(digit(byte >> 4))
        result.append(digit(byte & 15))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
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
