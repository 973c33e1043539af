/// The result of a request: a value or an error. A domain can extend it to interpret its response envelope
/// (like the seed's `validateResult`).
///
/// Source: seeds/5-CSAPIService.md, "APIResult 扩展".
public enum APIResult<T: Sendable>: Sendable {
    // Indirect, so that a response has the same size for every type of value. Otherwise each step of the
    // generic pipeline would look up at runtime how to copy the response.
    /// The value.
    indirect case success(T)
    /// The error.
    case failure(APIError)

    /// Returns the value.
    ///
    /// - Throws: The error of a failure.
    public func get() throws(APIError) -> T {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw error
        }
    }

    /// The value; `nil` for a failure.
    public var value: T? {
        if case .success(let value) = self { value } else { nil }
    }

    /// The error; `nil` for a success.
    public var error: APIError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
