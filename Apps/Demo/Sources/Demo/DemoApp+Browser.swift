import HomeApi
import JourneyApi
import Links
import Pages
import PayTypeApi
import RideApi
import Routes
import UserApi

extension DemoApp {
    /// The pages of the browser's navigation bar. Those of modules that are not in the app say so.
    private static let tabs = [
        PageRow("Home", opens: PageAddress.first.route), PageRow("Ride", opens: RideRoute.main),
        PageRow("Payment", opens: PayTypeRoute.main), PageRow("Journeys", opens: JourneyRoute.main),
        PageRow("Account", opens: UserRoute.main),
    ]

    private static let home = PageRow("Go to Home", opens: PageAddress.first.route)

    /// Shows the modules' pages in a browser on this machine, with the calls between the modules as they happen.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free one.
    ///   - launch: Launches the app again, so that the page "Try it" can take modules out; nil if the app cannot.
    ///   - complain: Receives the reasons of failures, which the passenger does not see.
    /// - Returns: The server. It stops when it is released.
    /// - Throws: `POSIXError` if the port is taken.
    public func browse(
        port: Int, launch: Relaunch? = nil, complain: @escaping @Sendable (String) -> Void
    ) async throws -> PageServer {
        let live = await LiveApp(self, launch: launch)
        return try await PageServer(
            port: port, tabs: Self.tabs, diary: diary, live: live, complain: complain, find: live.page)
    }

    /// Launches the app again, after the running one has got the event `terminate`, and returns it with the same sample day. The
    /// parameter contains the names of the modules to leave out.
    public typealias Relaunch = @Sendable (_ leftOut: Set<String>) async throws -> DemoApp

    /// Returns the page that a route answers with.
    @MainActor
    func page(at address: PageAddress, _ origin: Link.Callers) async throws -> any Page {
        let route = address == .first ? HomeRoute.main : address.route
        let result =
            switch origin {
            case .inside: await routes.routeURL(route, parameters: address.parameters)
            case .outside: await routes.openUrl(route, parameters: address.parameters)
            }
        if let page = result.value as? any Page { return page }
        switch result.error?.reason {
        case .absentModule(let module):
            let isAbsent = !app.modules.contains { $0.name == module }
            throw PageError(
                "\(module) \(isAbsent ? "is not in this app" : "could not start").", wayOut: Self.home)
        case .localOnly, .denied:
            throw PageError("This page can only be opened from another page.", wayOut: Self.home)
        case .noMatch, .badURL, .badParameter, nil:
            throw PageError("There is no page at this address.", wayOut: Self.home)
        default: throw PageError.from(result.error ?? CancellationError())
        }
    }
}
