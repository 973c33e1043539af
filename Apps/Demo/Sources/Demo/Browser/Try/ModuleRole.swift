import HomeApi
import JourneyApi
import Pages
import PayTypeApi
import RideApi
import UserApi

/// What a module of the sample does for the passenger, and what the passenger loses without it.
struct ModuleRole: Sendable {
    /// A sentence.
    let does: String
    /// The end of the sentence "Without it, ...".
    let loss: String
    /// The page on which the loss shows.
    let page: PageRow

    /// The modules that show the smallest form of a pair. A passenger meets them nowhere.
    static let examples: Set = ["ModuleA", "ModuleB", "ModuleC"]

    private init(_ does: String, without loss: String, seenOn title: String, _ route: String) {
        (self.does, self.loss) = (does, loss)
        page = PageRow("See it on “\(title)”", opens: route)
    }

    /// The roles by the names of the modules. A module that somebody has added has none.
    static let all = [
        "Home": ModuleRole(
            "Shows the first page: a greeting, the news and the menu.",
            without: "the first page is empty; the other pages work", seenOn: "Home", PageAddress.first.route),
        "ServiceOpen": ModuleRole(
            "Has you agree to the terms before your first ride.",
            without: "you can ride without agreeing to any terms", seenOn: "Ride", RideRoute.main),
        "Ride": ModuleRole(
            "Shows your code, and takes you into the metro and out of it.",
            without: "you cannot enter the metro; the other pages work", seenOn: "Ride", RideRoute.main),
        "Gate": ModuleRole(
            "Issues your code, and opens the gates for it.",
            without: "you get no code, and no gate opens", seenOn: "Ride", RideRoute.main),
        "PayType": ModuleRole(
            "Charges each ride to the payment method that you choose.",
            without: "you can ride, and nobody charges you", seenOn: "Payment", PayTypeRoute.main),
        "PayTypeCashless": ModuleRole(
            "Charges each ride to your phone or your watch.",
            without: "you can ride, and nobody charges you", seenOn: "Payment", PayTypeRoute.main),
        "Journey": ModuleRole(
            "Keeps the journeys that you have taken, and fetches the statement.",
            without: "you can ride, but no journey is kept", seenOn: "Journeys", JourneyRoute.main),
        "WebContainer": ModuleRole(
            "Opens web pages, such as the news and the terms.",
            without: "neither the news nor the terms can be read", seenOn: "Home", PageAddress.first.route),
        "User": ModuleRole(
            "Logs you in, and tells the other modules who you are.",
            without: "nobody can log in, so nobody can ride", seenOn: "Account", UserRoute.main),
        "SDKManager": ModuleRole(
            "Knows the operator's server, and the rows of Home's menu.",
            without: "nobody can log in or pay, and Home has no news and no menu", seenOn: "Home",
            PageAddress.first.route),
        "Logger": ModuleRole(
            "Writes a log for the people who run the app.",
            without: "the app works as before, but what it does is not logged", seenOn: "Ride",
            RideRoute.main),
    ]
}
