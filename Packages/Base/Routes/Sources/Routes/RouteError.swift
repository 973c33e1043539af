import URLGrammar

/// Why a registration, a call or the printing of a URL was refused.
public struct RouteError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: Hashable, Sendable {
        /// The text is no URL; ``RouteError/position`` says where.
        case badURL
        /// The text is no pattern; ``RouteError/position`` says where.
        case badPattern
        /// Two patterns have the same shape and priority.
        case conflict
        /// A table's remote mark names a pattern that the table does not have.
        case unknownRemotePattern
        /// No route has that URL.
        case noMatch
        /// The module that answers the route is not in this app.
        case absentModule
        /// A parameter is missing or of the wrong kind; ``RouteError/key`` names it.
        case badParameter
        /// A guard or the handler refused; ``RouteError/detail`` is the reason.
        case denied
        /// The route is not marked remote, and the call came from outside.
        case localOnly
        /// The handler is async, and the call was made without `await`.
        case needsAwait
        /// Redirects lead to redirects for too long.
        case redirectLoop
        /// The handler threw; ``RouteError/underlying`` is what.
        case handlerFailed
        /// The parameters cannot be written as a URL that gives them back.
        case notPrintable
    }

    /// What is wrong.
    public let code: Code
    /// The route's pattern, as far as it is known.
    public internal(set) var pattern: String?
    /// The URL, as far as there is one.
    public internal(set) var url: String?
    /// The parameter's key.
    public let key: String?
    /// The offset in the pattern or URL, in bytes of UTF-8.
    public let position: Int?
    /// What was found and expected, the reason, the module, or where something was registered.
    public let detail: String?
    /// What a handler threw.
    public let underlying: (any Error)?

    init(
        _ code: Code, pattern: String? = nil, url: String? = nil, key: String? = nil, position: Int? = nil,
        detail: String? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.pattern = pattern
        self.url = url
        self.key = key
        self.position = position
        self.detail = detail
        self.underlying = underlying
    }

    init(_ error: ParameterError, pattern: String? = nil, url: String? = nil) {
        self.init(
            .badParameter, pattern: pattern, url: url, key: error.key,
            detail: "\(error.found ?? "nothing"), expected \(error.expected)")
    }

    /// Where, what, why, and how to mend it.
    public var description: String {
        var place: [String] = []
        if let pattern { place.append("route \(AppURL.quoted(pattern))") }
        if let url { place.append("URL \(AppURL.quoted(url))") }
        if let position { place.append("byte \(position)") }
        return (place.isEmpty ? "routes" : place.joined(separator: ", ")) + ": " + explanation
    }

    private var explanation: String {
        let detail = detail ?? ""
        let key = AppURL.quoted(key ?? "")
        return switch code {
        case .badURL: "the text is no URL: \(detail)"
        case .badPattern: "\(detail)."
        case .conflict:
            "it has the same shape and priority as another, \(detail). Which one answers would be chance. "
                + "Remove one, or give them different priorities."
        case .unknownRemotePattern:
            "it is marked remote at \(detail), but not in the table there. A mark without a route is a misspelling "
                + "or a leftover. Write it as in the table, or remove the mark."
        case .noMatch:
            "no route has that URL. The module may be left out of this app, or the name is misspelt. "
                + "List the routes with allRoutes(), or answer such URLs with setUnmatched."
        case .absentModule:
            "the module \(detail) that answers it is not in this app. Modules can be left out. "
                + "Install the module, or do without it."
        case .badParameter:
            "the parameter \(key) is \(detail). The route cannot do its work without it. "
                + "Pass a value of that kind under \(key)."
        case .denied:
            "it was refused: \(detail). The app decides at run time who may call what. "
                + "Meet the condition first, or change the guard passed to addGuard."
        case .localOnly:
            "it may not be called from outside. Routes are local unless they are marked. "
                + "If outsiders may call it, add it with `remote: true`."
        case .needsAwait:
            "the handler is async. A call without `await` cannot wait for it. "
                + "Call it with `await` from an async function."
        case .redirectLoop:
            "redirects do not end: \(detail). At most \(Routes.maximumRedirects) are followed. "
                + "Point the redirect at a route with a handler."
        case .handlerFailed:
            "the handler threw \(underlying.map { "\($0)" } ?? detail). A handler's error is the call's result. "
                + "See the error itself."
        case .notPrintable:
            "\(detail). Parsing the URL would not give the parameters back. Change the parameter, or the pattern."
        }
    }
}
