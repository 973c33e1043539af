extension [UInt8] {
    /// The nesting limit that a file exceeds. The compiler accepts 256 nested brackets. swift-syntax takes minutes
    /// for 24 nested square brackets, and seconds for 2,000 nested `#if`.
    ///
    /// Brackets in comments and string literals are counted too. That is harmless, because they are nearly always
    /// balanced.
    package var exceededNesting: String? {
        var (brackets, squares, conditions) = (0, 0, 0)
        for (index, byte) in enumerated() {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "{"): brackets += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"): brackets = Swift.max(0, brackets - 1)
            case UInt8(ascii: "["): squares += 1
            case UInt8(ascii: "]"): squares = Swift.max(0, squares - 1)
            case UInt8(ascii: "#"):
                if self[index...].starts(with: "#if".utf8) { conditions += 1 }
                if self[index...].starts(with: "#endif".utf8) { conditions = Swift.max(0, conditions - 1) }
            default: continue
            }
            if brackets + squares > 256 { return "256 nested brackets" }
            if squares > 16 { return "16 nested square brackets" }
            if conditions > 64 { return "64 nested #if blocks" }
        }
        return nil
    }
}
