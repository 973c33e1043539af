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
    /// Creates an integer.
    public init(_ value: some FixedWidthInteger & SignedInteger) { self = .int(Int64(value)) }
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
    /// Creates a value from a literal, for example `["a": 1]`. If a name occurs twice, its last value counts.
    public init(dictionaryLiteral elements: (String, APIParameterValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

extension APIParameterValue: Codable {
    /// Decodes any JSON value.
    ///
    /// - Throws: `DecodingError` for a number that neither `Int64` nor `Double` can represent.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .int(value)
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
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}
