import ApiCenter
import Links

/// A registered route.
///
/// A route is immutable, so removing it does not affect a call that has already found it.
final class Route: Sendable {
    enum Answer: Sendable {
        case handler(Handler)
        /// The route was declared, but its module is not in the app.
        case absent(module: String)
    }

    let pattern: RoutePattern
    /// The pattern's canonical text, built once.
    let text: String
    let isRemote: Bool
    /// The file and line of the registration.
    let site: CallSite
    let answer: Answer

    init(_ pattern: RoutePattern, isRemote: Bool, site: CallSite, answer: Answer) {
        self.pattern = pattern
        self.text = pattern.description
        self.isRemote = isRemote
        self.site = site
        self.answer = answer
    }

    /// The module that answers, or that would answer if it were in the app.
    var module: String {
        switch answer {
        case .handler: site.module
        case .absent(let module): module
        }
    }
}
