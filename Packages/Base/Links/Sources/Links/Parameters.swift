/// Typed access to a call's parameters.
///
/// Parameters are plain values with string keys, never a shared model type (seed 2, "去model化"). A local
/// caller may pass any Sendable value. A URL provides only strings, or `[String]` for a repeated name. A handler
/// need not know whether the call was local, because a read converts a value that does not have the requested type:
///
/// | requested type | converted from |
/// |---|---|
/// | any integer type | a string of digits with an optional sign, or another integer type, if it is in range |
/// | `Double`, `Float` | a string with a finite number; an integer; the other floating-point type |
/// | `Bool` | the strings `true`, `1`, `false`, `0` |
/// | `[String]` | a single string |
///
/// Thread-safe. Reads cost O(1).
public struct Parameters: Sendable, ExpressibleByDictionaryLiteral {
    /// The values as they were passed.
    public let values: [String: any Sendable]
    /// The owner of the parameters, such as `target/action`, for error messages.
    public let owner: String?

    /// Wraps a dictionary.
    ///
    /// - Parameters:
    ///   - values: The parameters.
    ///   - owner: The owner of the parameters, such as `target/action`, for error messages.
    public init(_ values: [String: any Sendable], of owner: String? = nil) {
        self.values = values
        self.owner = owner
    }

    /// Creates parameters from a literal. If a key is repeated, its last value is used.
    public init(dictionaryLiteral elements: (String, any Sendable)...) {
        self.init(Dictionary(elements) { _, last in last })
    }

    /// The unconverted value for a key, or nil.
    public subscript(key: String) -> (any Sendable)? { values[key] }

    /// The value for a key, or a default if the value is missing or cannot be converted to the default's type.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - fallback: The default, whose type is the requested type. `Equatable` prevents the compiler from
    ///     inferring `any Sendable`; for types that are not `Equatable`, use ``param(_:as:)``.
    /// - Returns: The value or the default.
    public func param<T: Sendable & Equatable>(_ key: String, _ fallback: T) -> T {
        param(key, as: T.self) ?? fallback
    }

    /// The value for a key, or nil if it is missing or cannot be converted to the type.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The requested type.
    /// - Returns: The value or nil.
    public func param<T: Sendable>(_ key: String, as type: T.Type) -> T? {
        values[key].flatMap { converted($0, to: T.self) }
    }

    /// The value for a required key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The requested type.
    /// - Returns: The value.
    /// - Throws: ``ParameterError`` if the value is missing or cannot be converted to the type.
    public func required<T: Sendable>(
        _ key: String, as type: T.Type
    ) throws(ParameterError) -> T {
        guard let value = values[key] else {
            throw ParameterError(owner: owner, key: key, expected: "\(T.self)", found: nil)
        }
        guard let result = converted(value, to: T.self) else {
            throw ParameterError(owner: owner, key: key, expected: "\(T.self)", found: described(value))
        }
        return result
    }
}
