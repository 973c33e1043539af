/// An error from installing links or from calling one. Routes, Mediator and ``LinkTable`` share its vocabulary.
///
/// An installation that throws installs nothing. An error is a class, so that a call that fails costs no more than one that
/// succeeds.
public final class LinkError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The text is not a valid URL.
        case badURL(AppURLError)
        /// The text is not a valid pattern, because of the byte of UTF-8 at this offset.
        case badPattern(at: Int, because: String)
        /// The name of the target or the action of the link at this place is empty.
        case emptyName(String)
        /// Another link answers the same calls, or has the same target. The text names both places.
        case conflict(String)
        /// The table has no finder for links of this kind.
        case noFinder
        /// No route matches the URL; ``LinkError/similar`` is a pattern that differs from it in case alone.
        case noMatch
        /// The URL does not have the form `scheme://target/action`.
        case notTargetAction
        /// The target is not installed; ``LinkError/similar`` is a target that differs in case alone.
        case targetNotFound
        /// The target lacks the action; ``LinkError/similar`` is an action that differs in case alone.
        case actionNotFound
        /// The module that answers the link has installed no links: it is not in this app, or its links have failed.
        case absentModule(String)
        /// The call came from outside the app, and the link is open only to calls from inside.
        case localOnly
        /// A parameter is missing, has the wrong type, or contains text that a call from outside may not pass.
        case badParameter(ParameterError)
        /// The guard or the handler denied the call, for this reason.
        case denied(String)
        /// An async handler was called without `await`.
        case needsAwait
        /// A main-actor handler was called without `await` from code off the main actor.
        case needsMainActor
        /// The handler's value does not have the requested type.
        case unexpectedResult(expected: String, found: String)
        /// A route's handler threw ``LinkError/underlying``.
        case handlerFailed
    }

    /// What is wrong.
    public let reason: Reason
    /// The name of the link, if known.
    public let name: Link.Name?
    /// The URL, if the error concerns one and ``target`` is nil. When a handler returns the failure of a call of its
    /// own, this is the URL of that call.
    public let url: String?
    /// The name that would be found if case did not matter; nil if no name would.
    public let similar: String?
    /// The error that a route's handler threw.
    public let underlying: (any Error)?

    /// Creates an error.
    public init(
        _ reason: Reason, name: Link.Name? = nil, url: String? = nil, similar: String? = nil,
        underlying: (any Error)? = nil
    ) {
        (self.reason, self.name, self.url) = (reason, name, url)
        (self.similar, self.underlying) = (similar, underlying)
    }

    /// The error for a handler to throw when a module that it needs is absent.
    public static func absentModule(_ module: String) -> LinkError { LinkError(.absentModule(module)) }

    /// The error for a handler to throw when it denies the call, for this reason.
    public static func denied(_ reason: String) -> LinkError { LinkError(.denied(reason)) }

    /// The route's pattern, if the error concerns a route.
    public var pattern: String? { name?.pattern }
    /// The target, if the error concerns one.
    public var target: String? { name?.target }
    /// The action, if the error concerns one.
    public var action: String? { name?.action }

    /// Whether the call found no link, so that the table asks its not-found handler.
    var isUnmatched: Bool { [.noMatch, .targetNotFound, .actionNotFound].contains(reason) }

    /// How much the error says of a call that several finders have not found: most if a link's parameter rejects a text,
    /// less if a name differs in case alone, and least if nothing matches.
    var exactness: Int { if case .badParameter = reason { 2 } else { similar == nil ? 0 : 1 } }

    /// Casts the value of a call.
    ///
    /// - Throws: ``LinkError`` with `unexpectedResult` if the value has another type.
    public static func cast<T>(
        _ value: (any Sendable)?, to type: T.Type, name: Link.Name? = nil, url: String? = nil
    ) throws(LinkError) -> T {
        if let value = value as? T { return value }
        let found = value.map { "\(Swift.type(of: $0))" } ?? "nil"
        throw LinkError(.unexpectedResult(expected: "\(T.self)", found: found), name: name, url: url)
    }

    /// The message: where the error occurred, what is wrong, why the rule exists, and how to fix it.
    public var description: String {
        if case .badURL(let error) = reason { return error.description }
        var place = [("route", pattern), ("target", target), ("action", action), ("URL", url)]
            .compactMap { kind, text in text.map { "\(kind) \(AppURL.quoted($0))" } }
        if case .badPattern(let position, _) = reason { place.append("byte \(position)") }
        return (place.isEmpty ? "links" : place.joined(separator: ", ")) + ": " + explanation
    }

    private var explanation: String {
        switch reason {
        case .badURL(let error): error.explanation
        case .badPattern(_, let because): because
        case .emptyName(let place):
            "the link at \(place) contains an empty name. A call names the target and the action. Fill in the name."
        case .conflict(let places):
            "the link conflicts with another one: \(places). A call must find one link. Remove or rename one of them."
        case .noFinder:
            "the table has no finder for links of this kind. Routes and Mediator are the finders. "
                + "Create Routes(on: table) and Mediator(on: table) before links are installed."
        case .noMatch, .targetNotFound, .actionNotFound:
            similar.map {
                "nothing has this name, but \(AppURL.quoted($0)) differs in case alone. Only schemes, hosts and the "
                    + "targets of URLs are compared without case. Correct the case."
            } ?? "\(missing). The module may be missing from this app, or the name may be misspelt. "
                + "Correct the name, install the module's links, or set a handler with setNotFound."
        case .notTargetAction:
            "the URL names no action. A call from outside has a scheme, a target and exactly one action. "
                + "Write scheme://target/action?key=value."
        case .absentModule(let module):
            "the module \(module) has installed no links: this app leaves it out, or the report of the launch says why "
                + "its links failed. Install it, or handle its absence."
        case .localOnly:
            "calls from outside the app may not reach the link. By default, only calls from inside reach it. "
                + "To allow calls from outside, write the link `from: .outside`."
        case .badParameter(let error): "the " + error.explanation
        case .denied(let why):
            "the call was denied: \(why). The app decides at run time which calls it allows. "
                + "Meet the condition first, or change the guard passed to setGuard."
        case .needsAwait:
            "the handler is async, and a call without `await` cannot wait. Call it with `await` from an async function."
        case .needsMainActor:
            "the handler runs on the main actor. Without `await`, only main-actor code can call it. "
                + "Call it with `await`, or from @MainActor code."
        case .unexpectedResult(let expected, let found):
            "the handler returned \(found), expected \(expected). The caller can use only a value of the requested "
                + "type. Request the type that the link returns, or correct its handler."
        case .handlerFailed:
            "the handler threw \(underlying.map { "\($0)" } ?? "an error"). A handler's error becomes the failure of "
                + "the call. Fix the cause that the error describes."
        }
    }

    private var missing: String {
        switch reason {
        case .targetNotFound: "no such target is installed"
        case .actionNotFound: "the target has no such action, and no action named \"notFound\""
        default: "no route matches the URL"
        }
    }
}

/// The error for a parameter that is missing or has the wrong type.
///
/// When a handler throws this error, the call fails with `badParameter`, and the name of the link.
public struct ParameterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The owner of the parameters, such as a route's pattern, if known.
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
        (self.owner, self.key, self.expected, self.found) = (owner, key, expected, found)
    }

    /// The message: where the error occurred, what is wrong, why the rule exists, and how to fix it.
    public var description: String { (owner.map { "\($0), " } ?? "") + explanation }

    /// What is wrong, why the rule exists and how to fix it, for messages that add the place themselves.
    public var explanation: String {
        "parameter \(AppURL.quoted(key)) \(found.map { "is \($0)" } ?? "is missing"), expected \(expected). "
            + "The call needs it. Pass a suitable value for \(AppURL.quoted(key)), or read it with a default."
    }
}
