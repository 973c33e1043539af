/// How a send ended: with a value or an error. Extended outside the library with what a domain's envelope
/// means (the seed's `validateResult`).
///
/// Source: seeds/5-CSAPIService.md, "APIResult 扩展".
public enum APIResult<T: Sendable>: Sendable {
    // Indirect, so that a response has one size whatever its value: the pipeline, compiled before that is known, would
    // look up how to copy it at every step.
    /// The value.
    indirect case success(T)
    /// Why there is none.
    case failure(APIError)

    /// The value.
    ///
    /// - Throws: Why there is none.
    public func get() throws(APIError) -> T {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw error
        }
    }

    /// The value, or nil.
    public var value: T? {
        if case .success(let value) = self { value } else { nil }
    }

    /// The error, or nil.
    public var error: APIError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
