import HomeApi
import JourneyApi
import Pages
import PayTypeApi
import RideApi
import ServiceOpenApi
import UserApi

/// A step of the sample day.
struct DayStep: Sendable {
    /// What the passenger does, or what happens to the app.
    enum Part: Sendable {
        case tap(Tap)
        /// Something happens outside the pages.
        case event(@Sendable (DemoApp) async throws -> Void)
    }

    /// A tap on a module's page.
    struct Tap: Sendable {
        /// The action of a button or a row; nil to open the page.
        let action: String?
        /// The row to tap; nil for a button, or for the first row with the action.
        let row: String?
        /// The route of the page.
        let route: String
        /// The values that the passenger enters. The other fields of the form keep their values.
        let values: [String: String]
        /// A part of what a new passenger then reads, in an app with all modules.
        let sees: String
        /// The beginning of the line that says why the page does not offer the tap; nil for the page's first line.
        var instead: String?
    }

    let title: String
    let parts: [Part]

    private init(_ title: String, _ parts: Part...) { (self.title, self.parts) = (title, parts) }

    /// A passenger's day with the app.
    static let day = [
        DayStep("The modules call each other", .modulesAsk),
        DayStep("Start the app", .open(HomeRoute.main, sees: "Welcome to the metro.")),
        DayStep(
            "Log in",
            .logIn(
                password: "corect horse",
                sees: "The name or the password is wrong; please check both and try again."),
            .logIn(sees: "Welcome, Li Lei.")),
        DayStep(
            "Open the service",
            .tap("terms", on: ServiceOpenRoute.main, sees: "https://transit.example/terms"),
            .tap("open", on: ServiceOpenRoute.main, sees: "Please read the terms and agree to them."),
            .tap(
                "open", on: ServiceOpenRoute.main, ["terms": PageTap.on],
                sees: "The service is open. How do you want to pay?")),
        DayStep(
            "Pick a payment method",
            .tap(
                "select", row: "bank-card", on: PayTypeRoute.main,
                sees: "Bank card: This payment method is not available to you; please choose another."),
            .tap("select", row: "month-pass", on: PayTypeRoute.main, sees: "You pay with: Monthly pass")),
        DayStep(
            "Enter the metro",
            .tap(
                "enter", on: RideRoute.main, ["station": "North Gate"], sees: "The gate at North Gate opens."),
            .gateReports(at: "North Gate")),
        DayStep("Get a new code", .tap("refresh", on: RideRoute.main, sees: "Here is a new code.")),
        DayStep(
            "Switch to another app and back", .send(.background), .send(.active),
            .open(RideRoute.main, sees: "You are on a ride from North Gate.")),
        DayStep("The memory runs low", .send(.memoryWarning)),
        DayStep("Open a link", .send(.openURL("metro://\(RideAction.target)/\(RideAction.stations)"))),
        DayStep(
            "Log out and in again",
            .tap("logOut", on: UserRoute.main, sees: "You are logged out."),
            .logIn(sees: "Welcome, Li Lei.")),
        DayStep(
            "Leave the metro",
            .tap("leave", on: RideRoute.main, ["station": "Museum"], sees: "The gate at Museum opens.")),
        DayStep(
            "Look at the journeys",
            .open(JourneyRoute.main, sees: "North Gate - Museum, €2.00"),
            .tokenExpires,
            .tap("statement", on: JourneyRoute.main, sees: "The operator has charged you for 1 journey.")),
        DayStep(
            "Tap the banner",
            .tap(
                "banner", on: HomeRoute.main, sees: "https://metro.example/spring",
                instead: "There is no news today.")),
        DayStep("Read the log", .readLog),
    ]
}

extension DayStep.Part {
    /// Opens the page of a route.
    fileprivate static func open(_ route: String, sees: String) -> Self {
        .tap(DayStep.Tap(action: nil, row: nil, route: route, values: [:], sees: sees))
    }

    /// Taps a button or a row on the page of a route.
    fileprivate static func tap(
        _ action: String, row: String? = nil, on route: String, _ values: [String: String] = [:],
        sees: String, instead: String? = nil
    ) -> Self {
        .tap(
            DayStep.Tap(
                action: action, row: row, route: route, values: values, sees: sees, instead: instead))
    }

    /// Logs the sample passenger in.
    fileprivate static func logIn(
        password: String = OperatorServer.passenger.password, sees: String
    ) -> Self {
        let values = ["phone": OperatorServer.passenger.phone, "password": password]
        return .tap("logIn", on: UserRoute.main, values, sees: sees)
    }
}
