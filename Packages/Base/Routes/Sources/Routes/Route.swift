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
    let isRemote: Bool
    /// The file and line of the registration.
    let site: CallSite
    let answer: Answer

    init(_ pattern: RoutePattern, isRemote: Bool, site: CallSite, answer: Answer) {
        (self.pattern, self.isRemote, self.site, self.answer) = (pattern, isRemote, site, answer)
    }

    var text: String { pattern.description }

    var isAbsent: Bool {
        if case .absent = answer { true } else { false }
    }

    /// The module that answers, or that would answer if it were in the app.
    var module: String {
        switch answer {
        case .handler: site.module
        case .absent(let module): module
        }
    }
}
