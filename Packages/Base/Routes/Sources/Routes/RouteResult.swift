/// How a call of a URL ended.
///
/// A handler returns `.handled(value)`, or refuses with `absentModule("Module")` or
/// `denied("reason")`; the registry fills in the pattern and the URL. The refusals are results, not
/// errors that are thrown: a module that is left out of the app must be survivable (seed 4).
public enum RouteResult: Sendable {
    /// A handler answered, with a value or nil.
    case handled((any Sendable)?)
    /// The route is known, but the module that answers it is not in this app.
    indirect case absentModule(RouteError)
    /// No route has that URL.
    indirect case noMatch(RouteError)
    /// A route has that URL, but a parameter is missing or of the wrong kind.
    indirect case badParameter(RouteError)
    /// A guard or the handler refused, or the call came from outside and the route is local.
    indirect case denied(RouteError)
    /// The URL is none, the handler failed, needs `await`, or redirects go round.
    indirect case failed(RouteError)

    /// What a handler returns when the module it needs is not there.
    ///
    /// - Parameter module: The module's name.
    /// - Returns: The result `absentModule`.
    public static func absentModule(_ module: String) -> RouteResult {
        .absentModule(RouteError(.absentModule, detail: module))
    }

    /// What a handler returns when it will not answer.
    ///
    /// - Parameter reason: Why, for the error.
    /// - Returns: The result `denied`.
    public static func denied(_ reason: String) -> RouteResult {
        .denied(RouteError(.denied, detail: reason))
    }

    /// Whether a handler answered.
    public var isHandled: Bool { error == nil }

    /// The handler's value; nil when there is none, and when the call was refused.
    public var value: (any Sendable)? {
        if case .handled(let value) = self { value } else { nil }
    }

    /// Why the call was refused; nil when it was handled.
    public var error: RouteError? {
        switch self {
        case .handled: nil
        case .absentModule(let error), .noMatch(let error), .badParameter(let error), .denied(let error),
            .failed(let error):
            error
        }
    }
}
