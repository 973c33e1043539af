import AppModules
import Demo
import ErrorCode
import Links

/// The message that tells the user why a URL was refused.
struct OpeningRefused: CustomStringConvertible {
    let url: String
    let error: any Error
    let app: LaunchedApp

    var description: String {
        guard let error = error as? LinkError else { return said(by: error) }
        return switch error.reason {
        case .noMatch where error.similar == nil: unknown
        case .absentModule(let module): absent(module)
        default: error.underlying.map(said) ?? error.description
        }
    }

    private var unknown: String {
        let links = app.services.routes.allRoutes() + app.services.mediator.allActions()
        let known = links.filter { $0.callers == .outside }.map(\.name.description).sorted()
        let scheme = url.firstRange(of: "://")
        let written = (scheme.map { url[$0.upperBound...] } ?? url[...]).prefix { !"?#".contains($0) }
        // The fixed prefixes of the patterns, such as `journeys` of `journeys(/:limit<int>)`.
        let hint = String(written).hint(among: known.map { String($0.prefix { !"(:*".contains($0) }) })
        return "no route or action in this app matches '\(url)'.\(hint) Callable from outside the app:"
            + known.map { "\n  app://\($0)" }.joined()
    }

    private func absent(_ module: String) -> String {
        if let failure = app.launch.failure(of: module) {
            return "'\(url)' cannot be opened because \(module) failed to start. \(failure)"
        }
        return """
            '\(url)' cannot be opened because \(module) is not in this app. A build contains only the modules whose \
            traits are enabled. Try: swift run --traits \(Registrations.traits(with: module)) Shell open '\(url)'
            """
    }

    private func said(by error: any Error) -> String {
        let message = message(for: error)
        guard message == ErrorCode.notLoggedIn.message else { return "'\(url)' was refused: \(message)" }
        let remedy =
            app.app.modules.contains { $0.name == "User" }
            ? "The sample day logs a passenger in. Try: swift run Shell (with the same --data, if any), "
                + "then open this URL again"
            : "Logging in requires User, which is not in this app. Try: swift run --traits "
                + "\(Registrations.traits(with: "User")) Shell"
        return "'\(url)' requires a login. \(message) \(remedy)"
    }
}
