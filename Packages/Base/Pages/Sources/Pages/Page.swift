/// A screen of a module, described without a UI framework. The app decides how to show it: in a browser, in SwiftUI
/// (`PageView`), or in a terminal.
///
/// A module answers a route with its page, so another module can show the page without depending on this one:
///
/// ```swift
/// let page = try await routes.routeURL(RideRoute.main, as: (any Page).self)
/// ```
///
/// A page holds no state of its own. It reads everything from Apis each time it is shown, so a page that stays open
/// during a log-out shows the new state when it is shown again. Two calls of one page may overlap at their `await`s.
/// Source: seed 4 (a route's `extraData`) and seed 2 (a view controller that the caller shows as it likes).
@MainActor
public protocol Page: Sendable {
    /// The title: a few words, without a full stop.
    var title: String { get }

    /// Loads what the page shows, from top to bottom. Called each time the page is shown.
    ///
    /// - Throws: Any error. The app shows ``failure(for:)`` instead of the contents.
    func contents() async throws -> [PageContent]

    /// Performs the action of a button or a row.
    ///
    /// The app passes on every tap. A page need not detect a form that was posted twice: the app performs it once.
    ///
    /// - Parameter tap: The action and the values of the form's fields. They come from outside and may be wrong.
    /// - Returns: What to show next.
    /// - Throws: Any error. The app keeps the page open and shows ``failure(for:)`` on it.
    func perform(_ tap: PageTap) async throws -> PageStep

    /// Converts an error of this page into a sentence for the user.
    ///
    /// The default returns a ``PageError`` unchanged. Other errors become a general sentence, because
    /// their texts are for developers; see ``PageError/from(_:)``.
    func failure(for error: any Error) -> PageError
}

extension Page {
    public func failure(for error: any Error) -> PageError {
        .from(error)
    }

    /// The default for pages without actions: reports that the page has no such action.
    public func perform(_ tap: PageTap) async throws -> PageStep {
        throw tap.unknownAction
    }
}

/// What to show after an action.
public struct PageStep: Sendable {
    /// The place of the next page.
    public enum Place: Sendable {
        /// The page that a route answers with.
        case address(PageAddress)
        /// A page that the action got from another module.
        case page(any Page)
        /// The page before this one; the first page if no page came before.
        case back
        /// This page again, with its contents loaded anew.
        case stay
    }

    /// The place of the next page.
    public let place: Place
    /// One sentence about what the action did, shown above the next page.
    public let message: String?

    /// Opens the page that a route answers with.
    public static func open(
        _ route: String, _ parameters: [String: String] = [:], saying message: String? = nil
    ) -> PageStep {
        PageStep(place: .address(PageAddress(route, parameters)), message: message)
    }

    /// Shows a page that the action got from another module.
    public static func show(_ page: any Page, saying message: String? = nil) -> PageStep {
        PageStep(place: .page(page), message: message)
    }

    /// Returns to the page before this one.
    public static func back(saying message: String? = nil) -> PageStep {
        PageStep(place: .back, message: message)
    }

    /// Shows this page again.
    public static func stay(saying message: String? = nil) -> PageStep {
        PageStep(place: .stay, message: message)
    }
}

/// The address of a page: a route and its parameters.
public struct PageAddress: Sendable, Hashable {
    /// The route, from a constant in the Api package of its module.
    public let route: String
    /// The parameters of the route.
    public let parameters: [String: String]

    /// Creates an address.
    public init(_ route: String, _ parameters: [String: String] = [:]) {
        (self.route, self.parameters) = (route, parameters)
    }
}
