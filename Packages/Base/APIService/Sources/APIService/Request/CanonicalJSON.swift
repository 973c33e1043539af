import Foundation

/// Writes a tree of values as canonical JSON: names in canonical order, no whitespace, minimal escaping.
/// Equal trees result in equal bytes, on every platform and on every launch.
struct CanonicalJSON {
    private(set) var bytes: [UInt8] = []

    /// Returns the canonical JSON of a value.
    ///
    /// - Throws: ``APIRequestError/invalidParameters(_:)`` for a number that JSON cannot represent.
    static func data(_ value: APIParameterValue) throws(APIRequestError) -> Data {
        var json = CanonicalJSON()
        try json.write(value)
        return Data(json.bytes)
    }

    private mutating func write(_ value: APIParameterValue) throws(APIRequestError) {
        switch value {
        case .null: write("null")
        case .bool(let value): write(value ? "true" : "false")
        case .int(let value): write(String(value))
        case .double(let value):
            guard value.isFinite else {
                throw .invalidParameters("\(value) is a number that JSON cannot represent")
            }
            write("\(value)")
        case .string(let value): write(quoted: value)
        case .array(let values):
            write("[")
            for (index, value) in values.enumerated() {
                if index > 0 { write(",") }
                try write(value)
            }
            write("]")
        case .object(let values):
            write("{")
            for (index, entry) in values.canonical.enumerated() {
                if index > 0 { write(",") }
                write(quoted: entry.key)
                write(":")
                try write(entry.value)
            }
            write("}")
        }
    }

    private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func write(quoted text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                write("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
