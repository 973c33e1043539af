import URLGrammar

/// An error from installing offers or from calling an action.
///
/// An installation that throws this error installs nothing.
public struct MediatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Hashable, Sendable {
        /// The text of a remote call is not a valid URL; ``MediatorError/position`` is the offset of the error.
        case badURL
        /// The URL of a remote call does not have the form `scheme://target/action`.
        case notTargetAction
        /// The target is not installed.
        case targetNotFound
        /// The target does not have the action.
        case actionNotFound
        /// The call came from outside the app, and the action is open only to calls from inside.
        case localOnly
        /// A guard denied a call from outside; ``MediatorError/detail`` is the reason.
        case denied
        /// A parameter is missing or has the wrong type; ``MediatorError/key`` is its name, and
        /// ``MediatorError/expected`` and ``MediatorError/found`` describe the value.
        case badParameter
        /// An async action was called without `await`.
        case needsAwait
        /// A main-actor action was called without `await` from code off the main actor.
        case needsMainActor
        /// The action's result does not have the requested type, ``MediatorError/expected``.
        case unexpectedResult
        /// The target is already installed, or one installation contains two `OfferedTarget`s of the same name.
        case duplicateTarget
        /// One installation offers an action twice.
        case duplicateAction
        /// The name of a target or an action is empty.
        case emptyName
    }

    /// The kind of error.
    public let code: Code
    /// The target, if known.
    public let target: String?
    /// The action, if known.
    public let action: String?
    /// The parameter's key, for `badParameter`.
    public let key: String?
    /// The URL, for `badURL` and `notTargetAction`.
    public let url: String?
    /// The offset of the error in the URL, in bytes of UTF-8.
    public let position: Int?
    /// The expected type or form, if the error concerns a value.
    public let expected: String?
    /// A description of the actual value, for the message; nil if the value is missing.
    public let found: String?
    /// Details that depend on the code: the guard's reason, or the files and lines of offers.
    public let detail: String?

    init(
        _ code: Code, target: String? = nil, action: String? = nil, key: String? = nil, url: String? = nil,
        position: Int? = nil, expected: String? = nil, found: String? = nil, detail: String? = nil
    ) {
        self.code = code
        self.target = target
        self.action = action
        self.key = key
        self.url = url
        self.position = position
        self.expected = expected
        self.found = found
        self.detail = detail
    }

    init(_ error: ParameterError, in call: MediatorCall) {
        self.init(
            .badParameter, target: call.target, action: call.action, key: error.key,
            expected: error.expected, found: error.found)
    }

    static func duplicate(
        target: String, action: String? = nil, sites earlier: String, _ later: String
    ) -> MediatorError {
        MediatorError(
            action == nil ? .duplicateTarget : .duplicateAction, target: target, action: action,
            detail: "at \(earlier) and at \(later)")
    }

    /// The message: where the error occurred, what is wrong, why the rule exists, and how to fix it.
    public var description: String {
        let place = [
            target.map { "target \(AppURL.quoted($0))" }, action.map { "action \(AppURL.quoted($0))" },
            url.map { "URL \(AppURL.quoted($0))" }, position.map { "byte \($0)" },
        ]
        .compactMap { $0 }.joined(separator: ", ")
        return place.isEmpty ? "mediator: \(explanation)" : "\(place): \(explanation)"
    }

    private var explanation: String {
        let detail = detail ?? expected.map { "\(found ?? "missing"), expected \($0)" } ?? ""
        let parameter = key.map { $0.isEmpty ? "set of parameters" : "parameter \(AppURL.quoted($0))" } ?? ""
        return switch code {
        case .badURL:
            detail
        case .notTargetAction:
            "the URL is not a remote call. A remote call has a scheme, a target and exactly one action, and no port. "
                + "Write scheme://target/action?key=value."
        case .targetNotFound:
            "no such target is installed. The module may be missing from this app, or the name may be misspelt. "
                + "Install the module's offers, or set a handler with setNotFound."
        case .actionNotFound:
            "the target has no such action. The module may be older than the caller, or the name may be misspelt. "
                + "Correct the name, or give the target an action named \"notFound\"."
        case .localOnly:
            "calls from outside the app may not reach the action. By default, only calls from inside reach it. "
                + "To allow outside calls, offer the action `from: .outside`."
        case .denied:
            "a guard denied the call: \(detail). The app decides at run time which calls from outside it allows. "
                + "Meet the guard's condition first, or change the guard passed to addGuard."
        case .badParameter:
            "the \(parameter) is \(detail). The action cannot work without it. "
                + "Pass a suitable value for the \(parameter)."
        case .needsAwait:
            "the action is async. A call without `await` cannot wait for it. "
                + "Call it with `try await` from an async function."
        case .needsMainActor:
            "the action runs on the main actor. Without `await`, only main-actor code can call it. "
                + "Call it with `try await`, or from @MainActor code."
        case .unexpectedResult:
            "the action returned \(detail). The caller can use only a value of the requested type. "
                + "Correct the action, or request the type that it returns."
        case .duplicateTarget:
            "the target is offered twice, \(detail). One of the two would never be called. "
                + "Remove one, or call remove(target:) before replacing the target on purpose."
        case .duplicateAction:
            "the action is offered twice, \(detail). A name must identify one action. Rename one of them."
        case .emptyName:
            "the offer at \(detail) contains an empty name. A call identifies an action by the target's name "
                + "and the action's name. Fill in the empty name."
        }
    }
}
