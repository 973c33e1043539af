import Foundation

/// A request's parameters: a tree of plain values with one canonical order, in place of the seed's
/// `[String: Any]`, which can be neither compared, nor sent between tasks, nor turned into a stable cache key.
///
/// Source: seeds/5-CSAPIService.md, "APIRequest".
public struct APIParameters: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The values by name.
    public var values: [String: APIParameterValue]

    /// Parameters of these values.
    public init(_ values: [String: APIParameterValue] = [:]) { self.values = values }

    /// `["page": 1]`. Of a name that stands there twice, the last value counts.
    public init(dictionaryLiteral elements: (String, APIParameterValue)...) {
        values = Dictionary(elements) { $1 }
    }

    /// The properties of an encodable value.
    ///
    /// - Throws: What encoding it throws, or `DecodingError` when it does not encode to named values.
    public init(encoding value: some Encodable) throws {
        values = try JSONDecoder().decode([String: APIParameterValue].self, from: JSONEncoder().encode(value))
    }

    /// The value of this name; nil removes it.
    public subscript(name: String) -> APIParameterValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Whether there are none.
    public var isEmpty: Bool { values.isEmpty }

    /// These, and the others; of a name in both, the other's value counts.
    public func merging(_ others: APIParameters) -> APIParameters {
        APIParameters(values.merging(others.values) { $1 })
    }
}

extension [String: APIParameterValue] {
    /// The entries in the canonical order: by the UTF-8 bytes of their names, whatever the locale.
    var canonical: [(key: String, value: APIParameterValue)] {
        sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
