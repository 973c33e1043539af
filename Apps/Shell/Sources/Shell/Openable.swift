import Mediator
import Routes

/// What a URL from outside can reach in an app.
struct Openable: Hashable {
    /// The URL as a usage line has it: `app://journeys[/LIMIT]`.
    let url: String
    /// What every such URL begins with: `journeys`.
    private let beginning: [Substring]

    /// - Parameter pattern: A route's pattern, or a target and its action.
    init(_ pattern: String) {
        let bare = pattern.replacing(/<\w+>/, with: "").replacing(/:(\w+)/) { $0.1.uppercased() }
        url = "app://" + bare.replacing("(", with: "[").replacing(")", with: "]")
        beginning = pattern.prefix { !"(:*".contains($0) }.split(separator: "/")
    }

    /// All there is, sorted.
    static func all(in app: App) -> [Openable] {
        let routes = app.routes.allRoutes().filter(\.isRemote).map(\.pattern)
        let actions = app.infrastructure.mediator.allActions().filter(\.isRemote).map {
            "\($0.target)/\($0.action)"
        }
        return (routes + actions).sorted().map(Openable.init)
    }

    /// Whether a URL that nobody answers is like one that somebody would: `" Did you mean app://ride_vc?"`, or nothing.
    static func hint(for url: String, in app: App) -> String {
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
