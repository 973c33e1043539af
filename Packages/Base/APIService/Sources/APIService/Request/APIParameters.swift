import Foundation

/// The parameters of a request: a tree of plain values in a canonical order.
///
/// It replaces the seed's `[String: Any]`, which cannot be compared, sent between tasks or turned into a
/// stable cache key.
///
/// Source: seed 5, "APIRequest".
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

    /// Returns these parameters merged with `others`. If both contain the same name, the value in `others` is used.
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
/// Literals are written as in a `[String: Any]`. Variables are wrapped in `.init`:
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
    public init(_ value: Double) { self = .double(value) }
    public init(_ value: some StringProtocol) { self = .string(String(value)) }
    public init(_ values: [APIParameterValue]) { self = .array(values) }
    public init(_ values: [String]) { self = .array(values.map { .string($0) }) }
    public init(_ values: [Int]) { self = .array(values.map { .int(Int64($0)) }) }
    public init(_ parameters: APIParameters) { self = .object(parameters.values) }
    public init(_ value: String?) { self = value.map { .string($0) } ?? .null }
    public init(_ value: Int?) { self = value.map { .int(Int64($0)) } ?? .null }
}

extension APIParameterValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
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
        case .decimal(let value) where !value.isFinite:
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: encoder.codingPath, debugDescription: "JSON cannot represent \(value)."))
        case .decimal(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}
