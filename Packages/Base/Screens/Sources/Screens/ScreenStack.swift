import Links
import Observation
import Pages

/// The screens of one window: the first one, and those that its user has opened from there.
///
/// The stack asks for pages through two closures, so it works with any router:
///
/// ```swift
/// let stack = ScreenStack(
///     first: PageAddress(HomeRoute.main),
///     ask: { try await routes.routeURL($0.route, parameters: $0.parameters, as: (any Page).self) },
///     open: { url in
///         let link = app.open(url)
///         return { try await link.value }
///     })
/// ```
///
/// Each push asks the route once. Each window has a stack of its own; `ScreenStackView` shows it in SwiftUI.
///
/// All members run on the main actor. Source: seed 2 (a view controller that the caller shows as it likes) and seed 4
/// (a route's answer).
@MainActor @Observable public final class ScreenStack {
    /// Asks a route for its page, from inside the app. If no module answers the route, throws a `LinkError` with `noMatch`
    /// and the route as its URL, or with `absentModule`.
    public typealias Ask = @MainActor (PageAddress) async throws -> any Page
    /// Begins to open a link that the system or another app handed to this app. Returns a closure that waits for the link's
    /// value. Links are opened in the order of the calls.
    public typealias Open = @MainActor (String) -> @MainActor () async throws -> (any Sendable)?

    /// The first screen; nil until ``load()`` has asked its route.
    public private(set) var first: StackedScreen?
    /// The error of the last ``load()``; nil if it succeeded.
    public private(set) var failure: (any Error)?
    /// The user to whom the screens belong; nil if nobody is logged in. Set by ``follow(_:)``.
    public private(set) var owner: String?

    private var screens: [StackedScreen] = []
    @ObservationIgnored private let address: PageAddress
    @ObservationIgnored private let ask: Ask
    @ObservationIgnored private let openLink: Open
    @ObservationIgnored private var lastID = 0

    /// Creates a stack without screens. ``load()`` gets the first one.
    ///
    /// - Parameters:
    ///   - first: The address of the first screen.
    ///   - ask: Asks a route for its page.
    ///   - open: Opens a link from outside the app. The default refuses all links.
    public init(
        first: PageAddress, ask: @escaping Ask,
        open: @escaping Open = { url in { throw LinkError(.localOnly, url: url) } }
    ) {
        (address, self.ask, openLink) = (first, ask, open)
    }

    /// The screens above the first one, from bottom to top. Setting the path removes the screens that the new value does not
    /// contain, and has no other effect. A navigation stack in SwiftUI sets it when the user goes back.
    public var path: [StackedScreen] {
        get { screens }
        set {
            let kept = Set(newValue)
            if !kept.isSuperset(of: screens) { screens.removeAll { !kept.contains($0) } }
        }
    }

    /// The screen that is shown; nil if there is none yet.
    public var top: StackedScreen? { screens.last ?? first }

    /// Gets the first screen from its route. Has no effect if there is one. If the route fails, sets ``failure``.
    public func load() async {
        guard first == nil else { return }
        do {
            let page = try await answer(of: address)
            if first == nil { first = screen(page, at: address) }
            failure = nil
        } catch {
            if first == nil { failure = error }
        }
    }

    /// Asks a route for its page and shows it on top.
    ///
    /// If the module of the route is absent, the screen has no page, and the app shows a view of its own. If the user goes
    /// elsewhere or logs out while the route is asked, the answer is dropped. So two taps open one screen, and the answer to
    /// a screen that the user has left does not appear over another one.
    ///
    /// - Parameters:
    ///   - address: The route and its parameters.
    ///   - message: A sentence to show on the new screen.
    /// - Returns: The screen; nil if the answer was dropped.
    /// - Throws: Any other error of the route. The stack is unchanged then.
    @discardableResult
    public func push(_ address: PageAddress, message: String? = nil) async throws -> StackedScreen? {
        let place = place
        let page = try await answer(of: address)
        return add([screen(page, at: address, message)], at: place).first
    }

    /// Shows a page on top that a module has returned as a value. It has no address, so it is not in ``text``.
    public func show(_ page: any Page, message: String? = nil) {
        screens.append(screen(page, at: nil, message))
    }

    /// Opens a link from outside the app. If its value is a page, the page is shown on top, wherever the user is then. If the
    /// user has logged out meanwhile, the page is dropped.
    ///
    /// - Parameter url: The link, as a string or a Foundation `URL`.
    /// - Returns: A task that ends when the page is shown. Its error is the reason why the link was refused.
    @discardableResult
    public func open(_ url: some URLText) -> Task<Void, any Error> {
        let (answer, user) = (openLink(url.urlText), owner)
        return Task {
            let page = try await answer() as? any Page
            if let page, user == nil || user == owner { show(page) }
        }
    }

    /// Removes the top screen. The first one stays.
    public func pop() { _ = screens.popLast() }

    /// Removes all screens but the first one.
    public func popToFirst() { screens = [] }

    /// Goes on after an action of a page. Has no effect if the page's screen is no longer on top, because the user went
    /// elsewhere or logged out while the action ran.
    ///
    /// - Parameters:
    ///   - step: What to show next. The page itself handles `PageStep.Place.stay`.
    ///   - screen: The identity of the page's screen.
    /// - Throws: As ``push(_:message:)``.
    public func go(_ step: PageStep, from screen: StackedScreen.ID) async throws {
        guard top?.id == screen else { return }
        switch step.place {
        case .address(let address): try await push(address, message: step.message)
        case .page(let page): show(page, message: step.message)
        case .back:
            pop()
            if screens.isEmpty {
                first?.message = step.message
            } else {
                screens[screens.count - 1].message = step.message
            }
        case .stay: break
        }
    }

    /// Passes the stack to another user.
    ///
    /// If a user logs out, or another one logs in, the screens above the first one leave the stack, because they may show
    /// the former user's data, and the first screen is made anew: it has another identity. A user who logs in after nobody
    /// keeps all screens, because one of them may be waiting for the log-in.
    ///
    /// - Parameter owner: The user's identity, such as `UserSession.id`; nil if nobody is logged in.
    public func follow(_ owner: String?) {
        guard owner != self.owner else { return }
        if self.owner != nil {
            screens = []
            first = first.map { screen($0.page, at: $0.address) }
        }
        self.owner = owner
    }

    // MARK: Answers

    /// The place of a screen that a route is asked for: the screen below it, and the user.
    struct Place { let below: StackedScreen.ID?, user: String? }

    var place: Place { Place(below: top?.id, user: owner) }

    /// Adds screens. Adds and returns none if the user has gone elsewhere or has logged out.
    @discardableResult
    func add(_ new: [StackedScreen], at place: Place) -> [StackedScreen] {
        guard top?.id == place.below, place.user == nil || place.user == owner else { return [] }
        screens += new
        return new
    }

    /// The page of a route; nil if its module is absent.
    func answer(of address: PageAddress) async throws -> (any Page)? {
        do { return try await ask(address) } catch let error as LinkError where error.isAbsence(of: address) {
            return nil
        }
    }

    func screen(
        _ page: (any Page)?, at address: PageAddress?, _ message: String? = nil
    ) -> StackedScreen {
        lastID += 1
        return StackedScreen(id: lastID, address: address, page: page, message: message)
    }
}

/// Shows what comes after a screen: a page of a route, a page as a value, or the screen before. Has no effect if the
/// screen is no longer on top of its stack. Throws the error of the route.
public typealias Go = @MainActor (PageStep) async throws -> Void

/// A screen on a stack. Two values are equal if they have the same identity.
public struct StackedScreen: Identifiable, Hashable, Sendable {
    /// The identity, which no other screen of the stack has had.
    public let id: Int
    /// The address that was asked for the page; nil if a module returned the page as a value.
    public let address: PageAddress?
    /// The page; nil if the module of the address, or a module that the page needs, is not in this app.
    public let page: (any Page)?
    /// A sentence about the action that led to the screen.
    public internal(set) var message: String?

    public static func == (left: StackedScreen, right: StackedScreen) -> Bool { left.id == right.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension LinkError {
    /// Whether no module of this app answers a route. A name that differs from another one in case alone is a mistake
    /// instead, and so is another route that the page's module has called.
    fileprivate func isAbsence(of address: PageAddress) -> Bool {
        switch reason {
        case .absentModule: true
        case .noMatch: similar == nil && url == address.route
        default: false
        }
    }
}
