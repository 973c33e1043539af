/// Percent-encoding as RFC 3986 has it.
enum PercentEncoding {
    /// `text` with every byte escaped that is neither unreserved (letters, digits, `-._~`) nor in `keeping`.
    static func escape(_ text: some StringProtocol, keeping: String = "") -> String {
        let kept = Set(keeping.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) || kept.contains(byte) {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result.append(digits[Int(byte >> 4)])
                result.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The bytes that `text` stands for, or nil when a `%` is not followed by two digits.
    static func unescape(_ text: some StringProtocol) -> [UInt8]? {
        var result: [UInt8] = []
        var bytes = text.utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            guard let high = bytes.next().flatMap(value), let low = bytes.next().flatMap(value) else {
                return nil
            }
            result.append(high << 4 | low)
        }
        return result
    }

    /// `text` in its one canonical spelling: escaped where it must be, and nowhere else. Bytes of `keeping` stay
    /// as they are, escaped or not, for they mean something else when they are. A text that is not escaped
    /// rightly is escaped as it stands.
    static func canonical(_ text: some StringProtocol, keeping: String = "") -> String {
        guard unescape(text) != nil else { return escape(text, keeping: keeping) }
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        var result = parts.first.map { escape($0, keeping: keeping) } ?? ""
        for part in parts.dropFirst() {
            // Two digits follow each "%".
            for byte in unescape("%" + part.prefix(2)) ?? [] { append(byte, to: &result) }
            result += escape(part.dropFirst(2), keeping: keeping)
        }
        return result
    }

    private static func append(_ byte: UInt8, to text: inout String) {
        if isUnreserved(byte) {
            text.unicodeScalars.append(UnicodeScalar(byte))
        } else {
            text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
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
