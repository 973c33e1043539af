import Links

/// The error of a route: an alias, so that a caller needs to import only `Routes`.
public typealias RouteError = LinkError
/// Typed access to a call's parameters: an alias, so that a caller needs to import only `Routes`.
public typealias Parameters = Links.Parameters
/// The error that `Parameters.required` throws. When a handler throws this error, the call fails with `badParameter`.
public typealias ParameterError = Links.ParameterError

/// The result of calling a URL: a success with a value, or a failure with an error that has a reason.
///
/// A failure is a result and not a thrown error, because an app must work without the modules that it leaves out
/// (seed 4).
public enum RouteResult: Sendable {
    /// A handler returned a value or nil.
    case success((any Sendable)?)
    /// No handler was called, or the handler failed; `RouteError.reason` says which.
    case failure(RouteError)

    /// The result of a call that threw an error. Only a not-found handler's error is of another type.
    init(_ error: any Error) {
        self = .failure(error as? RouteError ?? RouteError(.handlerFailed, underlying: error))
    }

    /// The result for a handler to return when a module that it needs is absent.
    ///
    /// - Parameter module: The module's name.
    public static func absentModule(_ module: String) -> RouteResult { .failure(.absentModule(module)) }

    /// The result for a handler to return when it denies the call.
    ///
    /// - Parameter reason: Why the call is denied, as text for the error.
    public static func denied(_ reason: String) -> RouteResult { .failure(.denied(reason)) }

    /// Whether a handler answered the call.
    public var isSuccess: Bool { error == nil }

    /// The value that the handler returned (the seed's `extraData`); nil if it returned nil or the call failed.
    public var value: (any Sendable)? { if case .success(let value) = self { value } else { nil } }

    /// The error of a failed call; nil for a success.
    public var error: RouteError? { if case .failure(let error) = self { error } else { nil } }

    /// The value, or the error as a thrown error.
    public func get() throws(RouteError) -> (any Sendable)? {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw error
        }
    }
}
