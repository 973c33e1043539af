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
/// Each push asks the route once. A window has a stack of its own; ``ScreenStackView`` shows it in SwiftUI.
///
/// All members run on the main actor. Source: seed 2 (a view controller that the caller shows as it likes) and seed 4
/// (a route's answer).
@MainActor @Observable public final class ScreenStack {
    /// Asks a route for its page. Called with the address of each screen, from inside the app.
    public typealias Ask = @MainActor (PageAddress) async throws -> any Page
    /// Begins to open a link that the system or another app handed to this app. Returns a closure that waits for the link's
    /// value. Links are opened in the order of the calls.
    public typealias Open = @MainActor (String) -> @MainActor () async throws -> (any Sendable)?

    /// The first screen; nil until ``load()`` has got its page.
    public private(set) var first: StackedScreen?
    /// The screens above the first one, from bottom to top.
    public private(set) var pushed: [StackedScreen] = []
    /// The user to whom the screens belong; nil if nobody is logged in. Set by ``follow(_:)``.
    public private(set) var owner: String?

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

    /// The identities of the pushed screens. A navigation stack in SwiftUI binds to this value: if it is set without some
    /// of the identities, as when the user goes back, their screens leave the stack. Unknown identities have no effect.
    public var path: [Int] {
        get { pushed.map(\.id) }
        set { pushed.removeAll { !newValue.contains($0.id) } }
    }

    /// The screen that is shown; nil before the first one.
    public var top: StackedScreen? { pushed.last ?? first }

    /// Gets the first screen from its route. Has no effect if there is one.
    ///
    /// - Throws: The route's error, unless its module is absent; ``StackedScreen/page`` is nil then.
    public func load() async throws {
        guard first == nil else { return }
        let page = try await answer(of: address)
        if first == nil { first = screen(page, at: address) }
    }

    /// Asks a route for its page and shows it on top.
    ///
    /// If the module of the route is absent, the screen has no page, and the app shows a view of its own. If the user goes
    /// elsewhere while the route is asked, the answer is dropped: two taps open one screen, and the answer to a screen
    /// that the user has left does not appear over another one.
    ///
    /// - Parameters:
    ///   - address: The route and its parameters.
    ///   - message: A sentence to show on the new screen.
    /// - Throws: Any other error of the route. The stack is unchanged then.
    public func push(_ address: PageAddress, message: String? = nil) async throws {
        try await add(address, message: message)
    }

    /// Pushes a screen. Returns nil if the answer is dropped.
    @discardableResult
    func add(_ address: PageAddress, message: String? = nil) async throws -> StackedScreen? {
        let (below, user) = (top?.id, owner)
        let page = try await answer(of: address)
        guard top?.id == below, user == nil || user == owner else { return nil }
        let screen = screen(page, at: address, message)
        pushed.append(screen)
        return screen
    }

    /// Shows a page on top that a module has returned as a value. It has no address, so the path is restored without it.
    public func show(_ page: any Page, message: String? = nil) {
        pushed.append(screen(page, at: nil, message))
    }

    /// Opens a link from outside the app. If its value is a page, the page is shown on top, wherever the user is then.
    ///
    /// - Parameter url: The link, as a string or a Foundation `URL`.
    /// - Returns: A task that ends when the page is shown. Its error is the reason why the link was refused.
    @discardableResult
    public func open(_ url: some URLText) -> Task<Void, any Error> {
        let answer = openLink(url.urlText)
        return Task { if let page = try await answer() as? any Page { show(page) } }
    }

    /// Removes the top screen. The first one stays.
    public func pop() { _ = pushed.popLast() }

    /// Removes all screens but the first one.
    public func popToFirst() { pushed = [] }

    /// Goes on after an action of a page. Has no effect if the page's screen is no longer on top, because the user went
    /// elsewhere while the action ran.
    ///
    /// - Parameters:
    ///   - step: What to show next. The page itself handles ``Pages/PageStep/Place/stay``.
    ///   - screen: The identity of the page's screen.
    /// - Throws: As ``push(_:message:)``.
    public func go(_ step: PageStep, from screen: StackedScreen.ID) async throws {
        guard top?.id == screen else { return }
        switch step.place {
        case .address(let address): try await push(address, message: step.message)
        case .page(let page): show(page, message: step.message)
        case .back: pop()
        case .stay: break
        }
    }

    /// Passes the stack to another user.
    ///
    /// If a user logs out, or another one logs in, the screens above the first one leave the stack, because they may show
    /// the former user's data. A user who logs in after nobody keeps them: one of them may be waiting for the log-in.
    /// ``ScreenStackView`` loads the contents of the first screen anew.
    ///
    /// - Parameter owner: The user's identity, such as `UserSession.id`; nil if nobody is logged in.
    public func follow(_ owner: String?) {
        guard owner != self.owner else { return }
        if self.owner != nil { pushed = [] }
        self.owner = owner
    }

    private func answer(of address: PageAddress) async throws -> (any Page)? {
        do { return try await ask(address) } catch let error as LinkError where error.isAbsent { return nil }
    }

    private func screen(
        _ page: (any Page)?, at address: PageAddress?, _ message: String? = nil
    ) -> StackedScreen {
        lastID += 1
        return StackedScreen(id: lastID, address: address, page: page, message: message)
    }
}

/// Shows what comes after a screen: a page of a route, a page as a value, or the screen before. Has no effect if the
/// screen is no longer on top of its stack. Throws the error of the route.
public typealias Go = @MainActor (PageStep) async throws -> Void

/// A screen on a stack.
public struct StackedScreen: Identifiable, Sendable {
    /// The identity, which no other screen of the stack has had.
    public let id: Int
    /// The address that was asked for the page; nil if a module returned the page as a value.
    public let address: PageAddress?
    /// The page; nil if the module of the address is not in this app.
    public let page: (any Page)?
    /// A sentence about the action that opened the screen.
    public let message: String?
}

extension LinkError {
    /// Whether the module that answers the link is not in this app. A name that differs from another one in case alone is
    /// a mistake instead.
    fileprivate var isAbsent: Bool {
        switch reason {
        case .absentModule: true
        case .noMatch: similar == nil
        default: false
        }
    }
}
