import Foundation

/// The parameters of a request: a tree of plain values in a canonical order.
///
/// It replaces the seed's `[String: Any]`, which cannot be compared, sent between tasks or turned into a
/// stable cache key.
///
/// Source: seeds/5-CSAPIService.md, "APIRequest".
public struct APIParameters: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The values by name.
    public var values: [String: APIParameterValue]

    /// Creates parameters with these values.
    public init(_ values: [String: APIParameterValue] = [:]) { self.values = values }

    /// Creates parameters from a literal, for example `["page": 1]`. If a name occurs twice, its last value is used.
    public init(dictionaryLiteral elements: (String, APIParameterValue)...) {
        values = Dictionary(elements) { $1 }
    }

    /// Creates parameters from the properties of an encodable value.
    ///
    /// - Throws: The value's encoding error, or `DecodingError` if the value is not encoded as an object.
    public init(encoding value: some Encodable) throws {
        values = try JSONDecoder().decode([String: APIParameterValue].self, from: JSONEncoder().encode(value))
    }

    /// The value with this name. Setting `nil` removes it.
    public subscript(name: String) -> APIParameterValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Whether there are no parameters.
    public var isEmpty: Bool { values.isEmpty }

    /// Returns these parameters and the others. If both have a name, the value in `others` is used.
    public func merging(_ others: APIParameters) -> APIParameters {
        APIParameters(values.merging(others.values) { $1 })
    }
}

extension [String: APIParameterValue] {
    /// The entries in canonical order: sorted by the UTF-8 bytes of their names, regardless of the locale.
    var canonical: [(key: String, value: APIParameterValue)] {
        sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}

/// A value in a tree of parameters, restricted to what JSON can represent.
///
/// Literals look as they do in a dictionary of `Any`. A variable is wrapped with `.init`:
///
/// ```swift
/// let parameters: APIParameters = ["page": 1, "tags": ["new", "hot"], "id": .init(id), "near": nil]
/// ```
public enum APIParameterValue: Sendable, Hashable {
    /// No value. Omitted in a query or a form, `null` in JSON.
    case null
    /// A Boolean value.
    case bool(Bool)
    /// An integer.
    case int(Int64)
    /// A number that neither ``int(_:)`` nor ``double(_:)`` can represent exactly, for example `UInt64.max`.
    case decimal(Decimal)
    /// A floating-point number. Infinity and NaN cannot be encoded.
    case double(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([APIParameterValue])
    /// An object.
    case object([String: APIParameterValue])

    /// Creates a Boolean value.
    public init(_ value: Bool) { self = .bool(value) }
    /// Creates an integer of any size.
    public init(_ value: some FixedWidthInteger) {
        self = Int64(exactly: value).map { .int($0) } ?? .decimal(Decimal(string: "\(value)") ?? .nan)
    }
    /// Creates a number with exactly these digits.
    public init(_ value: Decimal) {
        let text = "\(value)"
        if let value = Int64(text) {
            self = .int(value)
        } else if let double = Double(text), Decimal(string: "\(double)") == value {
            self = .double(double)
        } else {
            self = .decimal(value)
        }
    }
    /// Creates a floating-point number.
    public init(_ value: Double) { self = .double(value) }
    /// Creates a string.
    public init(_ value: some StringProtocol) { self = .string(String(value)) }
    /// Creates an array.
    public init(_ values: [APIParameterValue]) { self = .array(values) }
    /// Creates an array of strings.
    public init(_ values: [String]) { self = .array(values.map { .string($0) }) }
    /// Creates an array of integers.
    public init(_ values: [Int]) { self = .array(values.map { .int(Int64($0)) }) }
    /// Creates an object.
    public init(_ parameters: APIParameters) { self = .object(parameters.values) }
    /// Creates a string, or ``null`` for `nil`.
    public init(_ value: String?) { self = value.map { .string($0) } ?? .null }
    /// Creates an integer, or ``null`` for `nil`.
    public init(_ value: Int?) { self = value.map { .int(Int64($0)) } ?? .null }
}

extension APIParameterValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates a value from `nil`.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a value from a literal, for example `true`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a value from a literal, for example `1`.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// Creates a value from a literal, for example `1.5`.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Creates a value from a literal, for example `"text"`.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a value from a literal, for example `[1, 2]`.
    public init(arrayLiteral elements: APIParameterValue...) { self = .array(elements) }
    /// Creates a value from a literal, for example `["a": 1]`. If a name occurs twice, its last value is used.
    public init(dictionaryLiteral elements: (String, APIParameterValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

extension APIParameterValue: Codable {
    /// Decodes any JSON value.
    ///
    /// - Throws: `DecodingError` for a number that neither `Decimal` nor `Double` can represent.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .int(value)
        } else if let value = try? container.decode(Decimal.self), value.isFinite {
            self = Self(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let values = try? container.decode([APIParameterValue].self) {
            self = .array(values)
        } else {
            self = .object(try container.decode([String: APIParameterValue].self))
        }
    }

    /// Encodes the value itself, without a wrapper.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}

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
        case .decimal(let value):
            guard value.isFinite else {
                throw .invalidParameters("\(value) is a number that JSON cannot represent")
            }
            write("\(value)")
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
