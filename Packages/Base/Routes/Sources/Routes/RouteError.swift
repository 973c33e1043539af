import URLGrammar

/// An error from registering a route, calling a route, or printing a URL.
public struct RouteError: Error, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Hashable, Sendable {
        /// The text is not a valid URL; ``RouteError/position`` is the offset of the error.
        case badURL
        /// The text is not a valid pattern; ``RouteError/position`` is the offset of the error.
        case badPattern
        /// Two patterns have the same shape and priority.
        case conflict
        /// No route matches the URL.
        case noMatch
        /// The module that handles the route is not in this app.
        case absentModule
        /// A parameter is missing or has the wrong type; ``RouteError/key`` is its name, and
        /// ``RouteError/expected`` and ``RouteError/found`` describe the value.
        case badParameter
        /// A guard or the handler denied the call; ``RouteError/detail`` is the reason.
        case denied
        /// The call came from outside the app, and the route is open only to calls from inside.
        case localOnly
        /// An async handler was called without `await`.
        case needsAwait
        /// A main-actor handler was called without `await` from code off the main actor.
        case needsMainActor
        /// The handler's value does not have the requested type, ``RouteError/expected``.
        case unexpectedResult
        /// The URL was redirected more than ``Routes/maximumRedirects`` times.
        case redirectLoop
        /// The handler threw ``RouteError/underlying``.
        case handlerFailed
        /// Matching the printed URL would not restore the parameters.
        case notPrintable
    }

    /// The kind of error.
    public let code: Code
    /// The route's pattern, if known.
    public internal(set) var pattern: String?
    /// The URL, if the error concerns one.
    public internal(set) var url: String?
    /// The parameter's key, if the error concerns one parameter.
    public let key: String?
    /// The offset of the error in the pattern or URL, in bytes of UTF-8.
    public let position: Int?
    /// The expected type or form, if the error concerns a value.
    public let expected: String?
    /// A description of the actual value, for the message; nil if the value is missing.
    public let found: String?
    /// Details that depend on the code: the reason for a denial, the name of a module, or the file and line of a
    /// registration.
    public let detail: String?
    /// The error that a handler threw.
    public let underlying: (any Error)?

    init(
        _ code: Code, pattern: String? = nil, url: String? = nil, key: String? = nil, position: Int? = nil,
        expected: String? = nil, found: String? = nil, detail: String? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.pattern = pattern
        self.url = url
        self.key = key
        self.position = position
        self.expected = expected
        self.found = found
        self.detail = detail
        self.underlying = underlying
    }

    init(_ error: ParameterError, pattern: String? = nil, url: String? = nil) {
        self.init(
            .badParameter, pattern: pattern, url: url, key: error.key, expected: error.expected,
            found: error.found)
    }

    /// The message: where the error occurred, what is wrong, why the rule exists, and how to fix it.
    public var description: String {
        var place: [String] = []
        if let pattern { place.append("route \(AppURL.quoted(pattern))") }
        if let url { place.append("URL \(AppURL.quoted(url))") }
        if let position { place.append("byte \(position)") }
        return (place.isEmpty ? "routes" : place.joined(separator: ", ")) + ": " + explanation
    }

    private var explanation: String {
        let detail = detail ?? expected.map { "\(found ?? "missing"), expected \($0)" } ?? ""
        let parameter = key.map { $0.isEmpty ? "set of parameters" : "parameter \(AppURL.quoted($0))" } ?? ""
        return switch code {
        case .badURL: detail
        case .badPattern: "\(detail)."
        case .conflict:
            "another route has the same shape and priority: \(detail). The choice between the two would "
                + "be arbitrary. Remove one, or give them different priorities."
        case .noMatch:
            "no route matches the URL. The module may be missing from this app, or the name may be misspelt. "
                + "List the routes with allRoutes(), or handle such URLs with setUnmatched."
        case .absentModule:
            "the module \(detail) is not in this app. An app may leave modules out. "
                + "Install the module, or handle its absence."
        case .badParameter where self.detail != nil: "the \(parameter) \(detail)."
        case .badParameter:
            "the \(parameter) is \(detail). The route cannot work without it. "
                + "Pass a suitable value for the \(parameter)."
        case .denied:
            "the call was denied: \(detail). The app decides at run time which calls it allows. "
                + "Meet the condition first, or change the guard passed to addGuard."
        case .localOnly:
            "calls from outside the app may not reach the route. By default, only calls from inside reach it. "
                + "To allow outside calls, offer the route `from: .outside`."
        case .needsAwait:
            "the handler is async. A call without `await` cannot wait for it. "
                + "Call it with `await` from an async function."
        case .needsMainActor:
            "the handler runs on the main actor. Without `await`, only main-actor code can call it. "
                + "Call it with `await`, or from @MainActor code."
        case .unexpectedResult:
            "the handler returned \(detail). The caller can use only a value of the requested type. "
                + "Request the type that the route returns, or correct its handler."
        case .redirectLoop:
            "there are too many redirects: \(detail). A call follows at most \(Routes.maximumRedirects). "
                + "Point the redirect at a route with a handler."
        case .handlerFailed:
            "the handler threw \(underlying.map { "\($0)" } ?? detail). A handler's error becomes the result of "
                + "the call. Fix the cause that the error describes."
        case .notPrintable:
            "\(detail). Matching the URL would not restore the parameters. Change the parameter, or the pattern."
        }
    }
}
