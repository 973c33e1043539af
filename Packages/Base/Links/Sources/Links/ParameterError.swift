/// The error for a parameter that is missing or has the wrong type.
///
/// When a handler throws this error, Mediator adds the target and action, and Routes adds the route.
public struct ParameterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The owner of the parameters, such as `target/action`, if known.
    public let owner: String?
    /// The parameter's key.
    public let key: String
    /// The requested type.
    public let expected: String
    /// The actual type, with the value if it is a string, a number or a `Bool`; nil if the parameter is missing.
    public let found: String?

    /// Creates an error for a parameter that a handler rejects.
    ///
    /// - Parameters:
    ///   - owner: The owner of the parameters, if known.
    ///   - key: The parameter's key.
    ///   - expected: A description of the expected value.
    ///   - found: A description of the actual value; nil if the value is missing.
    public init(owner: String? = nil, key: String, expected: String, found: String?) {
        self.owner = owner
        self.key = key
        self.expected = expected
        self.found = found
    }

    /// The message: where the error occurred, what is wrong, why the rule exists, and how to fix it.
    public var description: String { (owner.map { "\($0), " } ?? "") + explanation }

    /// What is wrong, why the rule exists and how to fix it, for messages that add the place themselves.
    public var explanation: String {
        "parameter \(AppURL.quoted(key)) \(found.map { "is \($0)" } ?? "is missing"), expected \(expected). "
            + "The call needs it. Pass a suitable value for \(AppURL.quoted(key)), or read it with a default."
    }
}
