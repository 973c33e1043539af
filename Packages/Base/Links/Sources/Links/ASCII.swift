/// The ASCII characters of the grammar.
extension UInt8 {
    static let space = UInt8(ascii: " ")
    static let delete: UInt8 = 0x7F
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let question = UInt8(ascii: "?")
    static let hash = UInt8(ascii: "#")
    static let at = UInt8(ascii: "@")
    static let ampersand = UInt8(ascii: "&")
    static let equals = UInt8(ascii: "=")
    static let plus = UInt8(ascii: "+")
    static let minus = UInt8(ascii: "-")
    static let dot = UInt8(ascii: ".")
    static let percent = UInt8(ascii: "%")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    var isLetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }

    /// Whether RFC 3986 (3.3, 3.4) allows the byte unencoded in a path, query or fragment, in addition to delimiters.
    var mayStandUnencoded: Bool {
        // The bits of the characters that must be encoded: " # < > in the lower half, [ \ ] ^ ` { | } in the upper.
        let lower: UInt64 = 1 << 34 | 1 << 35 | 1 << 60 | 1 << 62
        let upper: UInt64 = 0b1111 << 27 | 1 << 32 | 0b111 << 59
        return self < .delete && (self < 64 ? lower : upper) >> UInt64(self & 63) & 1 == 0
    }

    /// The number that a hexadecimal digit (`0`-`9`, `a`-`f`, `A`-`F`) represents; nil for other bytes.
    var hexadecimalValue: UInt8? {
        if isDigit { return self - UInt8(ascii: "0") }
        let lower = self | 0x20
        guard lower >= UInt8(ascii: "a"), lower <= UInt8(ascii: "f") else { return nil }
        return lower - UInt8(ascii: "a") + 10
    }
}
