/// The parameters of a call, read with a type.
///
/// Parameters are plain values under text keys, never a shared model type (seed 2, "去model化"). A local
/// caller passes any Sendable value; from a URL come texts only, and a repeated name gives `[String]`. So
/// that a handler need not know where a call came from, every read takes the value as it is when it has
/// the type asked for, and otherwise converts it:
///
/// | asked for | taken from |
/// |---|---|
/// | any integer type | text of an optional sign and digits, in range; another integer type's value, in range |
/// | `Double`, `Float` | text of a finite number; an integer; the other of the two |
/// | `Bool` | the texts `true`, `1`, `false`, `0` |
/// | `[String]` | one text, as an array of one |
///
/// A value type: safe on every thread. Reads cost O(1).
public struct Parameters: Sendable, ExpressibleByDictionaryLiteral {
    /// The values as they were passed.
    public let values: [String: any Sendable]
    /// What the parameters belong to, for error messages.
    public let owner: String?

    /// Wraps a dictionary.
    ///
    /// - Parameters:
    ///   - values: The parameters.
    ///   - owner: What they belong to, for error messages: `target/action`, say.
    public init(_ values: [String: any Sendable], of owner: String? = nil) {
        self.values = values
        self.owner = owner
    }

    /// Makes parameters of a literal; of equal keys the last one counts.
    public init(dictionaryLiteral elements: (String, any Sendable)...) {
        self.init(Dictionary(elements) { _, last in last })
    }

    /// The value under a key as it was passed, or nil.
    public subscript(key: String) -> (any Sendable)? { values[key] }

    /// The value under a key, or a default when it is missing or cannot be read as the default's type.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - fallback: The default; its type is the type that is read. `Equatable` keeps `any Sendable` from
    ///     being that type where the result is passed on as one; other types are read with
    ///     ``param(_:as:)``.
    /// - Returns: The value or the default.
    public func param<T: Sendable & Equatable>(_ key: String, _ fallback: T) -> T {
        param(key, as: T.self) ?? fallback
    }

    /// The value under a key, or nil when it is missing or cannot be read as the type.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The type to read.
    /// - Returns: The value or nil.
    public func param<T: Sendable>(_ key: String, as type: T.Type) -> T? {
        values[key].flatMap { converted($0, to: T.self) }
    }

    /// The value under a key, which must be there.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The type to read.
    /// - Returns: The value.
    /// - Throws: ``ParameterError`` when it is missing or cannot be read as the type.
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
