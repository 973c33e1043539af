/// One value in a tree of parameters: what JSON can say, and nothing else.
///
/// Literals read as they do in a dictionary of `Any`; a variable is wrapped with `.init`:
///
/// ```swift
/// let parameters: APIParameters = ["page": 1, "tags": ["new", "hot"], "id": .init(id), "near": nil]
/// ```
public enum APIParameterValue: Sendable, Hashable {
    /// No value. Left out of a query or a form, `null` in JSON.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case int(Int64)
    /// A number with a fraction. Infinite ones and NaN cannot be encoded.
    case double(Double)
    /// Text.
    case string(String)
    /// Values in order.
    case array([APIParameterValue])
    /// Values by name.
    case object([String: APIParameterValue])

    /// A truth value.
    public init(_ value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(_ value: some FixedWidthInteger & SignedInteger) { self = .int(Int64(value)) }
    /// A number with a fraction.
    public init(_ value: Double) { self = .double(value) }
    /// Text.
    public init(_ value: some StringProtocol) { self = .string(String(value)) }
    /// Values in order.
    public init(_ values: [APIParameterValue]) { self = .array(values) }
    /// Texts in order.
    public init(_ values: [String]) { self = .array(values.map { .string($0) }) }
    /// Whole numbers in order.
    public init(_ values: [Int]) { self = .array(values.map { .int(Int64($0)) }) }
    /// Values by name.
    public init(_ parameters: APIParameters) { self = .object(parameters.values) }
    /// Text, or ``null`` when there is none.
    public init(_ value: String?) { self = value.map { .string($0) } ?? .null }
    /// A whole number, or ``null`` when there is none.
    public init(_ value: Int?) { self = value.map { .int(Int64($0)) } ?? .null }
}

extension APIParameterValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `nil`.
    public init(nilLiteral: ()) { self = .null }
    /// `true`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// `1`.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// `1.5`.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// `"text"`.
    public init(stringLiteral value: String) { self = .string(value) }
    /// `[1, 2]`.
    public init(arrayLiteral elements: APIParameterValue...) { self = .array(elements) }
    /// `["a": 1]`. Of a name that stands there twice, the last value counts.
    public init(dictionaryLiteral elements: (String, APIParameterValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

extension APIParameterValue: Codable {
    /// Reads any JSON value.
    ///
    /// - Throws: `DecodingError` for a number beyond what `Int64` and `Double` hold.
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

    /// Writes the value as what it is.
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
