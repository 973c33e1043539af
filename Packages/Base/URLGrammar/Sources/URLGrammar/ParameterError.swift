/// A parameter that is missing or of the wrong kind.
///
/// Mediator and routes add the target and action, or the route, to it when a handler throws it.
public struct ParameterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the parameters belong to, as the reader of the message knows it, `target/action` for one.
    public let owner: String?
    /// The parameter's key; with dots and indices when it lies inside of another (`items.0.price`).
    public let key: String
    /// The type that was asked for.
    public let expected: String
    /// The type and, when it is text or a number, the value that is there; nil when there is none.
    public let found: String?

    /// Makes an error for a parameter that a handler itself finds wrong.
    ///
    /// - Parameters:
    ///   - owner: What the parameters belong to, if the handler knows.
    ///   - key: The parameter's key.
    ///   - expected: What is expected, in words.
    ///   - found: What is there instead; nil for nothing.
    public init(owner: String? = nil, key: String, expected: String, found: String?) {
        self.owner = owner
        self.key = key
        self.expected = expected
        self.found = found
    }

    /// Where, what, why, and how to mend it.
    public var description: String {
        let place = owner.map { "\($0), parameter" } ?? "parameter"
        let what = found.map { "is \($0)" } ?? "is missing"
        return
            "\(place) \(AppURL.quoted(key)): \(what), expected \(expected). The call is meaningless without it. "
            + "Pass a value of that kind under \(AppURL.quoted(key)), or read it with a default."
    }
}
