import AppModules
import Demo
import ErrorCode
import Foundation
import Mediator
import Routes

/// The message for a user whose URL was refused.
struct OpeningRefused: CustomStringConvertible {
    let url: String
    let error: any Error
    let app: ModularApp

    var description: String {
        switch error {
        case let error as RouteError: words(for: error)
        case let error as MediatorError where error.code == .localOnly: localOnly
        case let error as MediatorError where error.code == .badParameter:
            misfit(
                "app://\(error.target ?? "")/\(error.action ?? "")", error.key, error.expected, error.found)
        case let error as MediatorError where error.code == .denied:
            "'\(url)' was refused: \(error.detail ?? "")"
        default: said(by: error)
        }
    }

    private func words(for error: RouteError) -> String {
        switch error.code {
        case .noMatch: unknown
        case .badURL:
            "'\(url)' is not a valid URL (at byte \(error.position ?? 0)): \(error.detail ?? "") Try: "
                + "swift run Shell open app://journeys/3"
        case .absentModule: absent(error.detail ?? "")
        case .localOnly: localOnly
        case .badParameter: misfit(Openable(error.pattern ?? "").url, error.key, error.expected, error.found)
        case .denied: "'\(url)' was refused: \(error.detail ?? "")"
        case .handlerFailed: said(by: error.underlying ?? error)
        case .badPattern, .conflict, .needsAwait, .needsMainActor, .unexpectedResult, .redirectLoop,
            .notPrintable:
            error.description
        }
    }

    private var unknown: String {
        "no route or action in this app matches '\(url)'.\(Openable.hint(for: url, in: app)) \(list)"
    }

    private var localOnly: String { "'\(url)' can only be called from inside the app. \(list)" }

    private var list: String {
        "Available URLs:" + Openable.all(in: app).map { "\n  \($0.url)" }.joined()
    }

    private func absent(_ module: String) -> String {
        if let failure = app.failure(of: module) {
            return "'\(url)' cannot be opened because \(module) failed to start. \(failure)"
        }
        return """
            '\(url)' cannot be opened because \(module) is not in this app. A build contains only the modules whose \
            traits are enabled. Try: swift run --traits \(Registrations.traits(with: module)) Shell open '\(url)'
            """
    }

    /// Describes a parameter with an invalid value.
    private func misfit(_ usage: String, _ key: String?, _ expected: String?, _ found: String?) -> String {
        let kinds = [
            "int": "a whole number of at most 18 digits", "double": "a number", "bool": "true or false",
        ]
        let kind = expected.map { kinds[$0.lowercased()] ?? $0 } ?? ""
        return "'\(url)' does not fit \(usage): \(key ?? "") is \(found ?? "missing"), but must be \(kind)"
    }

    private func said(by error: any Error) -> String {
        let message = message(for: error)
        guard message == ErrorCode.notLoggedIn.message else { return "'\(url)' was refused: \(message)" }
        let remedy =
            app.host.modules.contains { $0.name == "User" }
            ? "The sample day logs a passenger in. Try: swift run Shell (with the same --data, if any), "
                + "then open this URL again"
            : "Logging in requires User, which is not in this app. Try: swift run --traits "
                + "\(Registrations.traits(with: "User")) Shell"
        return "'\(url)' requires a login. \(message) \(remedy)"
    }
}
