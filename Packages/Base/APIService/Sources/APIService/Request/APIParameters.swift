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

    /// Creates parameters from a literal, for example `["page": 1]`. If a name occurs twice, its last value
    /// counts.
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

    /// Returns these parameters and the others. If both have a name, the value in `others` counts.
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
