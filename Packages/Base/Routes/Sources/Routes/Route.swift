/// A registered route.
///
/// Immutable, so a call that has found it is not disturbed by its removal.
final class Route: Sendable {
    /// What answers.
    enum Answer: Sendable {
        case handler(Routes.Handler)
        case asyncHandler(Routes.AsyncHandler)
        case redirect(to: RoutePattern)
        /// The route's name is known, but the module is not there.
        case absent(module: String)
    }

    let pattern: RoutePattern
    /// The pattern's canonical text, made once.
    let text: String
    let priority: Int
    let isRemote: Bool
    /// Where it was registered.
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
