import ErrorCode
import Foundation
import Mediator
import Routes

/// Why a URL from outside was not opened, in words for whoever typed it.
struct OpeningRefused: CustomStringConvertible {
    let url: String
    let error: any Error
    let app: App

    var description: String {
        switch error {
        case let error as RouteError: words(for: error)
        case let error as MediatorError where error.code == .localOnly: localOnly
        case let error as MediatorError where error.code == .badParameter:
            misfit("app://\(error.target ?? "")/\(error.action ?? "")", error.key, error.detail)
        case let error as MediatorError where error.code == .denied:
            "'\(url)' was refused: \(error.detail ?? "")"
        default: said(by: error)
        }
    }

    private func words(for error: RouteError) -> String {
        switch error.code {
        case .noMatch: unknown
        case .badURL:
            "'\(url)' is no URL, from its byte \(error.position ?? 0) on: \(error.detail ?? "") Try: "
                + "swift run Shell open app://journeys/3"
        case .absentModule: absent(error.detail ?? "")
        case .localOnly: localOnly
        case .badParameter: misfit(Openable(error.pattern ?? "").url, error.key, error.detail)
        case .denied: "'\(url)' was refused: \(error.detail ?? "")"
        case .handlerFailed: said(by: error.underlying ?? error)
        case .badPattern, .conflict, .unknownRemotePattern, .needsAwait, .redirectLoop, .notPrintable:
            error.description
        }
    }

    private var unknown: String {
        "nothing in this app answers '\(url)'.\(Openable.hint(for: url, in: app)) \(list)"
    }

    private var localOnly: String { "'\(url)' is for the app itself, not for calls from outside. \(list)" }

    private var list: String {
        "What can be opened:" + Openable.all(in: app).map { "\n  \($0.url)" }.joined()
    }

    private func absent(_ module: String) -> String {
        if let failure = app.failure(of: module) {
            return "'\(url)' is not answered, for \(module) did not start. \(failure)"
        }
        return """
            '\(url)' is not answered, for \(module) is not in this app. A build has the modules whose traits are \
            on. Try: swift run --traits \(Registrations.traits(with: module)) Shell open '\(url)'
            """
    }

    /// A parameter of the wrong kind. The components' errors have "the text "x", expected int" of it.
    private func misfit(_ usage: String, _ key: String?, _ detail: String?) -> String {
        let parts = (detail ?? "").components(separatedBy: ", expected ")
        let kinds = [
            "int": "a whole number of at most 18 digits", "double": "a number", "bool": "true or false",
        ]
        let kind = parts.last.map { kinds[$0.lowercased()] ?? $0 } ?? ""
        return "'\(url)' does not fit \(usage): \(key ?? "") is \(parts[0]), and has to be \(kind)"
    }

    private func said(by error: any Error) -> String {
        let message = message(for: error)
        guard message == ErrorCode.notLoggedIn.message else { return "'\(url)' was refused: \(message)" }
        let mend =
            app.host.modules.contains { $0.name == "User" }
            ? "In this app the sample day does that. Try: swift run Shell, on the same data, and then this again"
            : "That takes User, which is not in this app. Try: swift run --traits "
                + "\(Registrations.traits(with: "User")) Shell"
        return "'\(url)' needs somebody who is logged in. \(message) \(mend)"
    }
}
