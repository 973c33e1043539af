import AppModules
import Mediator
import Routes

/// A route or an action that a URL from outside the app can call.
struct Openable: Hashable {
    /// The form of the URL that help texts show, such as `app://journeys[/LIMIT]`.
    let url: String
    /// The fixed path components at the beginning of the URL, such as `journeys`.
    private let beginning: [Substring]

    /// - Parameter pattern: The pattern of a route, or `target/action`.
    init(_ pattern: String) {
        let bare = pattern.replacing(/<\w+>/, with: "").replacing(/:(\w+)/) { $0.1.uppercased() }
        url = "app://" + bare.replacing("(", with: "[").replacing(")", with: "]")
        beginning = pattern.prefix { !"(:*".contains($0) }.split(separator: "/")
    }

    /// Returns every route and action of the app that outside callers may use, sorted.
    static func all(in app: ModularApp) -> [Openable] {
        let routes = app.services.routes.allRoutes().filter(\.isRemote).map(\.pattern)
        let actions = app.services.mediator.allActions().filter(\.isRemote).map {
            "\($0.target)/\($0.action)"
        }
        return (routes + actions).sorted().map(Openable.init)
    }

    /// Returns a hint for a URL that matches no route or action, such as `" Did you mean app://ride_vc?"`, or
    /// an empty string.
    static func hint(for url: String, in app: ModularApp) -> String {
        let path = url.drop { $0 != ":" }.hasPrefix("://") ? url.drop { $0 != ":" }.dropFirst(3) : url[...]
        let asked = path.prefix { !"?#".contains($0) }.lowercased().split(separator: "/")
        let guesses = all(in: app).map { openable in
            Guess(
                written: asked.prefix(openable.beginning.count).joined(separator: "/"),
                meant: openable.beginning.joined(separator: "/"), shown: openable.url)
        }
        return Guess.hint(among: guesses)
    }
}
