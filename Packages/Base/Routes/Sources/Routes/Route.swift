import Offers
import URLGrammar

/// A registered route.
///
/// A route is immutable, so removing it does not affect a call that has already found it.
final class Route: Sendable {
    typealias RouteHandler = Handler<Parameters, RouteResult>

    enum Answer: Sendable {
        case handler(RouteHandler)
        case redirect(to: RoutePattern)
        /// The route was declared, but its module is not in the app.
        case absent(module: String)
    }

    let pattern: RoutePattern
    /// The pattern's canonical text, built once.
    let text: String
    let priority: Int
    let isRemote: Bool
    /// The file and line of the registration.
    let site: String
    let answer: Answer

    init(pattern: RoutePattern, priority: Int, isRemote: Bool, site: String, answer: Answer) {
        self.pattern = pattern
        self.text = pattern.description
        self.priority = priority
        self.isRemote = isRemote
        self.site = site
        self.answer = answer
    }

    var isDeclaration: Bool {
        if case .absent = answer { true } else { false }
    }
}
