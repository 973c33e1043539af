/// A value that is encoded only if it is not the usual one. The fact cache holds thousands of empty lists, and decoding it
/// is most of the work of a check that finds no changed file.
@propertyWrapper
package struct Sparse<Value: SparseValue>: Hashable, Codable {
    package var wrappedValue: Value

    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws { wrappedValue = try Value(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension Sparse: Sendable where Value: Sendable {}

/// A type with a usual value.
package protocol SparseValue: Hashable, Codable {
    static var usual: Self { get }
}

extension Bool: SparseValue {
    package static var usual: Bool { false }
}

extension String: SparseValue {
    package static var usual: String { "" }
}

extension Array: SparseValue where Element: Hashable & Codable {
    package static var usual: [Element] { [] }
}

extension Set: SparseValue where Element: Codable {
    package static var usual: Set<Element> { [] }
}

extension Dictionary: SparseValue where Key: Codable, Value: Hashable & Codable {
    package static var usual: [Key: Value] { [:] }
}

/// The compiler's code for Codable calls these functions for a wrapped property.
extension KeyedDecodingContainer {
    package func decode<Value>(_ type: Sparse<Value>.Type, forKey key: Key) throws -> Sparse<Value> {
        try decodeIfPresent(type, forKey: key) ?? Sparse(wrappedValue: .usual)
    }
}

extension KeyedEncodingContainer {
    package mutating func encode<Value>(_ value: Sparse<Value>, forKey key: Key) throws {
        if value.wrappedValue != .usual { try encodeIfPresent(value, forKey: key) }
    }
}
