/// The result of calling a URL.
///
/// A handler returns `.handled(value)`, or rejects the call with `absentModule("Module")` or `denied("reason")`; the
/// registry adds the pattern and the URL. A rejection is a result and not a thrown error, because an app must work
/// without the modules that it leaves out (seed 4).
public enum RouteResult: Sendable {
    /// A handler returned a value or nil.
    case handled((any Sendable)?)
    /// The route was declared, but its module is not in this app.
    indirect case absentModule(RouteError)
    /// No route matches the URL.
    indirect case noMatch(RouteError)
    /// A route matches the URL, but a parameter is missing or has the wrong type.
    indirect case badParameter(RouteError)
    /// A guard or the handler denied the call, or the call came from outside and the route is open only to calls from
    /// inside.
    indirect case denied(RouteError)
    /// The URL is invalid, was redirected too often or was redirected to a URL that cannot be written, or the handler
    /// threw an error or needs `await`.
    indirect case failed(RouteError)

    /// The result for a handler to return when a module that it needs is absent.
    ///
    /// - Parameter module: The module's name.
    /// - Returns: The result `absentModule`.
    public static func absentModule(_ module: String) -> RouteResult {
        .absentModule(RouteError(.absentModule, detail: module))
    }

    /// The result for a handler to return when it denies the call.
    ///
    /// - Parameter reason: The reason for denying the call, as text for the error.
    /// - Returns: The result `denied`.
    public static func denied(_ reason: String) -> RouteResult {
        .denied(RouteError(.denied, detail: reason))
    }

    /// Whether a handler handled the call.
    public var isHandled: Bool { error == nil }

    /// The value that the handler returned; nil if the handler returned nil or the call was not handled.
    public var value: (any Sendable)? {
        if case .handled(let value) = self { value } else { nil }
    }

    /// The error of a call that was not handled; nil if the call was handled.
    public var error: RouteError? {
        switch self {
        case .handled: nil
        case .absentModule(let error), .noMatch(let error), .badParameter(let error), .denied(let error),
            .failed(let error):
            error
        }
    }
}
