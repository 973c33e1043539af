import ApiCenter
import Foundation
import JourneyApi
import LoggerApi
import RideApi
import SDKManagerApi
import ServiceOpenApi
import UserApi

/// A passenger's day with the app, as an app's pages would make it: every call goes to an Api, a route or a
/// notification. What is not in this app is said, and the rest goes on.
struct Day: Sendable {
    let app: App
    /// Whether nobody has used the app before.
    let isFirst: Bool
    /// How many journeys the passenger has made before.
    let rides: Int

    var center: ApiCenter { app.center }

    init(_ app: App) {
        self.app = app
        isFirst = app.center.api(type: UserApiProtocol.self)?.session == nil
        rides = (try? app.center.api(type: JourneyApiProtocol.self)?.journeys(limit: .max).count) ?? 0
    }

    /// Plays the day, and notes it in the app's diary.
    func play() async {
        let diary = app.diary
        diary.observe(center)
        diary.observe(app.infrastructure.notifications)
        await diary.step("Start the app", setUp)
        await diary.step("Log in", logIn)
        await diary.step("Open the service", openService)
        await diary.step("Pick a way to pay", pickWayToPay)
        await diary.step("Enter the metro", enter)
        await diary.step("Refresh the code", refreshCode)
        await diary.step("Put the app aside", putAside)
        await diary.step("Log out and in again", logOutAndIn)
        await diary.step("Leave the metro", leave)
        await diary.step("Look at the journeys", listJourneys)
        await diary.step("Tap the banner", tapBanner)
        await diary.step("Tap \"more\"", tapMore)
        await diary.step("The same page in three ways", threeWays)
        await diary.step("Read the log", readLog)
    }

    // MARK: The start

    private func setUp() {
        guard let sdk = center.api(type: SDKManagerApiProtocol.self) else { return absent("SDKManager") }
        guard let server = URL(string: "https://api.metro.example") else {
            return refuse("No server is known")
        }
        do throws(SDKManagerApiError) {
            try sdk.initialise(SDKConfiguration(appID: "example.metro", baseURL: server)) { start in
                switch start {
                case .loggedIn(let name): tell("Welcome back, \(name)")
                case .loggedOut: tell("Nobody is logged in")
                }
                showFirstPage()
            }
        } catch {
            refuse(error.message)
        }
    }

    /// Where the app goes when the SDK is set up. SDKManager cannot know: these pages are above it.
    private func showFirstPage() {
        let isOpen = center.api(type: ServiceOpenApiProtocol.self)?.isOpen ?? true
        show(isOpen ? RideRoute.main : ServiceOpenRoute.main)
    }

    private func logIn() async {
        guard let user = center.api(type: UserApiProtocol.self) else { return absent("User") }
        if let session = user.session { return tell("Still logged in as \(session.name)") }
        await logIn(user, passwords: ["corect horse", Recordings.passenger.password])
    }

    /// Tries these passwords, one after the other.
    private func logIn(_ user: any UserApiProtocol, passwords: [String]) async {
        for password in passwords {
            do {
                let session = try await user.logIn(phone: Recordings.passenger.phone, password: password)
                return tell("Logged in as \(session.name)")
            } catch {
                refuse(error.message)
            }
        }
    }

    /// The code on the screen goes with the session that it was made for.
    private func logOutAndIn() async {
        guard let user = center.api(type: UserApiProtocol.self) else { return absent("User") }
        guard user.session != nil else { return tell("Nobody is logged in") }
        let code = try? center.api(type: RideApiProtocol.self)?.code().code
        do {
            try user.logOut()
        } catch {
            return refuse(error.message)
        }
        tell("Logged out")
        await logIn(user, passwords: [Recordings.passenger.password])
        if let code { showAtGate(code, "The code from before the log-out") }
    }

    private func openService() {
        guard let service = center.api(type: ServiceOpenApiProtocol.self) else {
            return absent("ServiceOpen")
        }
        if service.isOpen { return tell("It is open since another day") }
        do {
            do {
                try service.open()
            } catch .termsNotAgreed {
                refuse(ServiceOpenApiError.termsNotAgreed.message)
                tell(
                    service.termsPage().map { "Reads \($0["url"] ?? "the terms")" }
                        ?? "Nothing here shows the terms")
                try service.agreeToTerms()
                try service.open()
            }
            tell("Agreed and opened")
        } catch {
            refuse(error.message)
        }
    }

    private func readLog() {
        guard let log = center.api(type: LoggerApiProtocol.self) else { return absent("Logger") }
        for line in log.recent(limit: 3) { tell(line) }
    }

    // MARK: What every step needs

    func tell(_ text: String) { app.diary.tell(text) }

    func refuse(_ text: String) { app.diary.refuse(text) }

    /// Says why a module's part of the day is left out.
    func absent(_ module: String) {
        let hasFailed = app.host.registration.failures.contains { $0.module == module }
        tell(hasFailed ? "\(module) could not start, and is left out" : "\(module) is not in this app")
    }

    /// Shows the page of a route.
    func show(_ route: String) {
        let result = app.routes.routeURL(route)
        if case .absentModule(let error) = result, let module = error.detail { return absent(module) }
        guard let page = result.value as? [String: String] else {
            return refuse(result.error.map(\.description) ?? "\(route) has no page")
        }
        tell("Shows \(page["page"] ?? route)")
    }
}
