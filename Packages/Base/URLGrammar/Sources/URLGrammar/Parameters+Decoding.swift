extension Parameters {
    /// Decodes the parameters as a `Decodable` type whose coding keys are the parameters' keys.
    ///
    /// Values are converted as in ``param(_:as:)`` and ``required(_:as:)``, so the same type can decode
    /// parameters from local calls and from URLs. Dictionaries (`[String: …]`) and arrays may be nested. The
    /// type can be private to the handler's module, because callers pass plain values.
    ///
    /// - Parameter type: The type to decode.
    /// - Returns: The decoded value.
    /// - Throws: ``ParameterError`` with the key, or with its path if the value is nested.
    /// - Complexity: O(number of values decoded).
    public func decode<T: Decodable>(_ type: T.Type = T.self) throws(ParameterError) -> T {
        do {
            return try T(from: ValueDecoder(value: values, codingPath: []))
        } catch let error as DecodingError {
            throw parameterError(error, decoding: "\(T.self)")
        } catch {
            throw ParameterError(owner: owner, key: "", expected: "\(T.self)", found: "rejected (\(error))")
        }
    }

    private func parameterError(_ error: DecodingError, decoding type: String) -> ParameterError {
        func key(_ path: [any CodingKey]) -> String {
            path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        }
        return switch error {
        case .keyNotFound(let missing, let context):
            ParameterError(
                owner: owner, key: key(context.codingPath + [missing]),
                expected: "a value that \(type) requires", found: nil)
        case .valueNotFound(let expected, let context):
            ParameterError(owner: owner, key: key(context.codingPath), expected: "\(expected)", found: nil)
        case .typeMismatch(let expected, let context):
            ParameterError(
                owner: owner, key: key(context.codingPath), expected: "\(expected)",
                found: context.debugDescription)
        case .dataCorrupted(let context):
            ParameterError(
                owner: owner, key: key(context.codingPath), expected: "a value that \(type) accepts",
                found: "invalid (\(context.debugDescription))")
        @unknown default:
            ParameterError(owner: owner, key: "", expected: type, found: "rejected (\(error))")
        }
    }
}

/// Decodes one value, which may be a dictionary or an array.
private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: Any
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let values = value as? [String: Any] else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(ValuesByKey(values: values, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let values = value as? [Any] else { throw mismatch([Any].self) }
        return ValuesInOrder(values: values, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { (value as? any AbsentOrPresent)?.isAbsent ?? false }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if let value = converted(value, to: T.self) { return value }
        if T.self is any Scalar.Type { throw mismatch(type) }
        return try T(from: self)
    }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: described(value)))
    }
}

/// Types that decode themselves with `decode(_:)` of a single-value container.
///
/// Calling their `init(from:)` from that method would recurse forever.
private protocol Scalar {}
extension Bool: Scalar {}
extension String: Scalar {}
extension Double: Scalar {}
extension Float: Scalar {}
extension Int: Scalar {}
extension Int8: Scalar {}
extension Int16: Scalar {}
extension Int32: Scalar {}
extension Int64: Scalar {}
extension Int128: Scalar {}
extension UInt: Scalar {}
extension UInt8: Scalar {}
extension UInt16: Scalar {}
extension UInt32: Scalar {}
extension UInt64: Scalar {}
extension UInt128: Scalar {}

/// Detects nil in an `Any` that contains an `Optional` of any type.
private protocol AbsentOrPresent { var isAbsent: Bool { get } }
extension Optional: AbsentOrPresent { fileprivate var isAbsent: Bool { self == nil } }

private struct ValuesByKey<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let values: [String: Any]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { values.keys.sorted().compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { ValueDecoder(value: values, codingPath: codingPath) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> ValueDecoder {
        guard let value = values[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "no value"))
        }
        return ValueDecoder(value: value, codingPath: codingPath + [key])
    }
}

private struct ValuesInOrder: UnkeyedDecodingContainer {
    let values: [Any]
    let codingPath: [any CodingKey]
    var currentIndex = 0

    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    mutating func decodeNil() throws -> Bool {
        let decoder = try next()
        if !decoder.decodeNil() { currentIndex -= 1 }
        return decoder.decodeNil()
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decode(type) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next() }

    private mutating func next() throws -> ValueDecoder {
        let key = Position(intValue: currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Any.self, .init(codingPath: codingPath + [key], debugDescription: "no more values"))
        }
        defer { currentIndex += 1 }
        return ValueDecoder(value: values[currentIndex], codingPath: codingPath + [key])
    }
}

/// An array index as a coding key.
private struct Position: CodingKey {
    let intValue: Int?
    let stringValue: String

    init(intValue: Int) {
        self.intValue = intValue
        self.stringValue = String(intValue)
    }

    init?(stringValue: String) { return nil }
}
