import ApiCenter
import Links

/// An error from installing links or from calling an action.
///
/// An installation that throws this error installs nothing.
public struct MediatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The text of a remote call is not a valid URL.
        case badURL(AppURLError)
        /// The URL of a remote call, which is the associated value, does not have the form `scheme://target/action`.
        case notTargetAction(String)
        /// The target is not installed; ``MediatorError/similar`` is a target that differs in case alone.
        case targetNotFound
        /// The target lacks the action; ``MediatorError/similar`` is an action that differs in case alone.
        case actionNotFound
        /// The call came from outside the app, and the action is open only to calls from inside.
        case localOnly
        /// The guard denied a call from outside, for this reason.
        case denied(String)
        /// A parameter is missing or has the wrong type.
        case badParameter(ParameterError)
        /// An async action was called without `await`.
        case needsAwait
        /// A main-actor action was called without `await` from code off the main actor.
        case needsMainActor
        /// The action's result does not have the requested type.
        case unexpectedResult(expected: String, found: String)
        /// The target is already installed, perhaps with another case, or two `LinkTarget`s have this name. The text
        /// names both places.
        case duplicateTarget(String)
        /// One installation contains an action twice. The text names both places.
        case duplicateAction(String)
        /// The name of the target or the action of the link at this place is empty.
        case emptyName(String)
    }

    /// What is wrong.
    public let reason: Reason
    /// The target, if known.
    public let target: String?
    /// The action, if known.
    public let action: String?
    /// For `targetNotFound` and `actionNotFound`, the name that differs in case alone; nil if no name does.
    public let similar: String?

    init(_ reason: Reason, target: String? = nil, action: String? = nil, similar: String? = nil) {
        (self.reason, self.target, self.action, self.similar) = (reason, target, action, similar)
    }

    static func duplicate(
        target: String, action: String? = nil, sites earlier: CallSite, _ later: CallSite
    ) -> MediatorError {
        let places = "at \(earlier) and at \(later)"
        return MediatorError(
            action == nil ? .duplicateTarget(places) : .duplicateAction(places), target: target,
            action: action)
    }

    /// The message: where the error occurred, what is wrong, why the rule exists, and how to fix it.
    public var description: String {
        if case .badURL(let error) = reason { return error.description }
        let place = [
            target.map { "target \(AppURL.quoted($0))" }, action.map { "action \(AppURL.quoted($0))" },
        ]
        .compactMap(\.self).joined(separator: ", ")
        return place.isEmpty ? "mediator: \(explanation)" : "\(place): \(explanation)"
    }

    private var explanation: String {
        switch reason {
        case .badURL(let error): error.explanation
        case .notTargetAction(let url):
            "the URL \(AppURL.quoted(url)) is not a remote call. A remote call has a scheme, a target and exactly "
                + "one action. Write scheme://target/action?key=value."
        case .targetNotFound where similar != nil:
            "no such target is installed, but \(AppURL.quoted(similar ?? "")) differs in case alone. "
                + "Only calls from outside the app ignore the case of a target. Correct the case."
        case .targetNotFound:
            "no such target is installed. The module may be missing from this app, or the name may be misspelt. "
                + "Install the module's links, or set a handler with setNotFound."
        case .actionNotFound where similar != nil:
            "the target has no such action, but \(AppURL.quoted(similar ?? "")) differs in case alone. "
                + "Actions are compared with case. Correct the case."
        case .actionNotFound:
            "the target has no such action. The module may be older than the caller, or the name may be misspelt. "
                + "Correct the name, or give the target an action named \"notFound\"."
        case .localOnly:
            "calls from outside the app may not reach the action. By default, only calls from inside reach it. "
                + "To allow outside calls, write the action `from: .outside`."
        case .denied(let why):
            "the guard denied the call: \(why). The app decides at run time which calls from outside it allows. "
                + "Meet the guard's condition first, or change the guard passed to setGuard."
        case .badParameter(let error): "the " + error.explanation
        case .needsAwait:
            "the action is async. A call without `await` cannot wait for it. "
                + "Call it with `try await` from an async function."
        case .needsMainActor:
            "the action runs on the main actor. Without `await`, only main-actor code can call it. "
                + "Call it with `try await`, or from @MainActor code."
        case .unexpectedResult(let expected, let found):
            "the action returned \(found), expected \(expected). The caller can use only a value of the requested "
                + "type. Correct the action, or request the type that it returns."
        case .duplicateTarget(let places):
            "the target is installed twice, \(places). Calls from outside ignore the case of a target, and one of the "
                + "two would never be called. Remove or rename one, or call remove(target:) before replacing it."
        case .duplicateAction(let places):
            "the action is written twice, \(places). A name must identify one action. Rename one of them."
        case .emptyName(let place):
            "the link at \(place) contains an empty name. A call identifies an action by the target's name "
                + "and the action's name. Fill in the empty name."
        }
    }
}
