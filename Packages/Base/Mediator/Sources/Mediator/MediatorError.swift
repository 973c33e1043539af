import URLGrammar

/// Why a mediator refused an installation or a call.
///
/// Nothing was installed or called then.
public struct MediatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: Hashable, Sendable {
        /// A remote call's text is no URL; ``MediatorError/position`` says where.
        case badURL
        /// A remote call's URL is not `scheme://target/action`.
        case notTargetAction
        /// No such target is installed.
        case targetNotFound
        /// The target has no such action.
        case actionNotFound
        /// The action is not installed as remote, and the call came from outside.
        case localOnly
        /// A guard refused a call from outside; ``MediatorError/detail`` is its reason.
        case denied
        /// A parameter is missing or of the wrong kind; ``MediatorError/key`` names it.
        case badParameter
        /// The action is async, and the call was made without `await`.
        case needsAwait
        /// The action's result is not of the type that the caller asked for.
        case unexpectedResult
        /// The target is installed already.
        case duplicateTarget
        /// One installation offers an action both sync and async.
        case duplicateAction
        /// A remote mark names a target or an action that the same installation does not offer.
        case unknownRemoteAction
        /// A target's or an action's name is empty.
        case emptyName
    }

    /// What is wrong.
    public let code: Code
    /// The target, as far as it is known.
    public let target: String?
    /// The action, as far as it is known.
    public let action: String?
    /// The parameter's key, for `badParameter`.
    public let key: String?
    /// The URL, for those that are wrong themselves.
    public let url: String?
    /// The offset in the URL, in bytes of UTF-8.
    public let position: Int?
    /// What was found and expected, the guard's reason, or where something was installed.
    public let detail: String?

    init(
        _ code: Code, target: String? = nil, action: String? = nil, key: String? = nil, url: String? = nil,
        position: Int? = nil, detail: String? = nil
    ) {
        self.code = code
        self.target = target
        self.action = action
        self.key = key
        self.url = url
        self.position = position
        self.detail = detail
    }

    init(_ error: ParameterError, in call: MediatorCall) {
        self.init(
            .badParameter, target: call.target, action: call.action, key: error.key,
            detail: "\(error.found ?? "nothing"), expected \(error.expected)")
    }

    static func duplicate(target: String, sites earlier: String, _ later: String) -> MediatorError {
        MediatorError(.duplicateTarget, target: target, detail: "at \(earlier) and at \(later)")
    }

    /// Where, what, why, and how to mend it.
    public var description: String {
        let place = [
            target.map { "target \(AppURL.quoted($0))" }, action.map { "action \(AppURL.quoted($0))" },
            url.map { "URL \(AppURL.quoted($0))" }, position.map { "byte \($0)" },
        ]
        .compactMap { $0 }.joined(separator: ", ")
        return place.isEmpty ? "mediator: \(explanation)" : "\(place): \(explanation)"
    }

    private var explanation: String {
        let detail = detail ?? ""
        let key = AppURL.quoted(key ?? "")
        return switch code {
        case .badURL:
            "the text is no URL: \(detail)"
        case .notTargetAction:
            "it is no remote call. A remote call has a scheme, a target and exactly one action, and no port. "
                + "Write scheme://target/action?key=value."
        case .targetNotFound:
            "no such target is installed. The module may be left out of this app, or the name is misspelt. "
                + "Install the module's actions in the Shell, or set a handler with setNotFound."
        case .actionNotFound:
            "the target has no such action. The module may be older than the caller, or the name is misspelt. "
                + "Correct it, or give the target an action named \"notFound\"."
        case .localOnly:
            "it may not be called from outside. Actions are local unless they are marked. "
                + "If outsiders may call it, name it in the `remote` argument of `install`."
        case .denied:
            "a guard refused the call from outside: \(detail). The app decides at run time what outsiders may do. "
                + "Meet the guard's condition first, or change the guard passed to addGuard."
        case .badParameter:
            "the parameter \(key) is \(detail). The action cannot do its work without it. "
                + "Pass a value of that kind under \(key)."
        case .needsAwait:
            "the action is async. A call without `await` cannot wait for it. "
                + "Call it with `try await` from an async function."
        case .unexpectedResult:
            "the action returned \(detail). A facade promises its callers a type. "
                + "Correct the action, or ask for the type that it returns."
        case .duplicateTarget:
            "it is installed twice, \(detail). One of the two would never be called. "
                + "Remove one installation, or call remove(target:) before replacing it on purpose."
        case .duplicateAction:
            "it is offered both sync and async at \(detail). A name stands for one action. Rename one of them."
        case .unknownRemoteAction:
            "it is marked remote at \(detail), but not offered there. A mark without an action is a misspelling "
                + "or a leftover. Correct the name, or remove the mark."
        case .emptyName:
            "a name is empty at \(detail). No URL could name it. Give it a name."
        }
    }
}
