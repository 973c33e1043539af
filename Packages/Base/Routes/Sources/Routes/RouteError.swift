import Links

/// An error from registering a route or calling a URL.
public struct RouteError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The text is not a valid URL.
        case badURL(AppURLError)
        /// The text is not a valid pattern, because of the byte of UTF-8 at this offset.
        case badPattern(at: Int, because: String)
        /// Another route has the same shape. The text names both registrations.
        case conflict(String)
        /// No route matches the URL; ``RouteError/similar`` is a pattern that differs from it in case alone.
        case noMatch
        /// The module that answers the route is not in this app.
        case absentModule(String)
        /// A parameter is missing or has the wrong type.
        case badParameter(ParameterError)
        /// The guard or the handler denied the call, for this reason.
        case denied(String)
        /// The call came from outside the app, and the route is open only to calls from inside.
        case localOnly
        /// An async handler was called without `await`.
        case needsAwait
        /// A main-actor handler was called without `await` from code off the main actor.
        case needsMainActor
        /// The handler's value does not have the requested type.
        case unexpectedResult(expected: String, found: String)
        /// The handler threw ``RouteError/underlying``.
        case handlerFailed
    }

    /// What is wrong.
    public let reason: Reason
    /// The route's pattern, if known.
    public private(set) var pattern: String?
    /// The URL, if the error concerns one. When a handler returns the failure of a call of its own, this is the URL of
    /// that call.
    public private(set) var url: String?
    /// For `noMatch`, the pattern that would match if case did not matter; nil if no pattern would.
    public let similar: String?
    /// The error that a handler threw.
    public let underlying: (any Error)?

    init(
        _ reason: Reason, pattern: String? = nil, url: String? = nil, similar: String? = nil,
        underlying: (any Error)? = nil
    ) {
        (self.reason, self.pattern, self.url) = (reason, pattern, url)
        (self.similar, self.underlying) = (similar, underlying)
    }

    /// The error for the caller of a handler that threw `error`.
    init(thrown error: any Error, pattern: String?, url: String) {
        switch error {
        case let error as RouteError:
            self = error
            self.pattern = error.pattern ?? (error.url == nil ? pattern : nil)
            self.url = error.url ?? url
        case let error as ParameterError: self.init(.badParameter(error), pattern: pattern, url: url)
        case HandlerError.needsAwait: self.init(.needsAwait, pattern: pattern, url: url)
        case HandlerError.needsMainActor: self.init(.needsMainActor, pattern: pattern, url: url)
        default: self.init(.handlerFailed, pattern: pattern, url: url, underlying: error)
        }
    }

    /// The message: where the error occurred, what is wrong, why the rule exists, and how to fix it.
    public var description: String {
        if case .badURL(let error) = reason { return error.description }
        var place: [String] = []
        if let pattern { place.append("route \(AppURL.quoted(pattern))") }
        if let url { place.append("URL \(AppURL.quoted(url))") }
        if case .badPattern(let position, _) = reason { place.append("byte \(position)") }
        return (place.isEmpty ? "routes" : place.joined(separator: ", ")) + ": " + explanation
    }

    private var explanation: String {
        switch reason {
        case .badURL(let error): error.explanation
        case .badPattern(_, let because): because
        case .conflict(let both):
            "another route has the same shape: \(both). The choice between the two would be arbitrary. "
                + "Remove one, or change its pattern."
        case .noMatch where similar != nil:
            "no route matches the URL, but \(AppURL.quoted(similar ?? "")) differs in case alone. "
                + "Only schemes and hosts are compared without case. Correct the case."
        case .noMatch:
            "no route matches the URL. The module may be missing from this app, or the name may be misspelt. "
                + "List the routes with allRoutes(), or handle such URLs with setNotFound."
        case .absentModule(let module):
            "the module \(module) is not in this app. An app may leave modules out. "
                + "Install the module, or handle its absence."
        case .badParameter(let error): "the " + error.explanation
        case .denied(let why):
            "the call was denied: \(why). The app decides at run time which calls it allows. "
                + "Meet the condition first, or change the guard passed to setGuard."
        case .localOnly:
            "calls from outside the app may not reach the route. By default, only calls from inside reach it. "
                + "To allow outside calls, write the route `from: .outside`."
        case .needsAwait:
            "the handler is async. A call without `await` cannot wait for it. "
                + "Call it with `await` from an async function."
        case .needsMainActor:
            "the handler runs on the main actor. Without `await`, only main-actor code can call it. "
                + "Call it with `await`, or from @MainActor code."
        case .unexpectedResult(let expected, let found):
            "the handler returned \(found), expected \(expected). The caller can use only a value of the "
                + "requested type. Request the type that the route returns, or correct its handler."
        case .handlerFailed:
            "the handler threw \(underlying.map { "\($0)" } ?? "an error"). A handler's error becomes the "
                + "failure of the call. Fix the cause that the error describes."
        }
    }
}
