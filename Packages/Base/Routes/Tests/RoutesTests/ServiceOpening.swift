import Routes

/// The page that opens a city service. It depends on the names of the other pages' routes, not on their modules.
struct ServiceOpenPage {
    let routes: Routes

    /// Handles a tap on the button. Returns the pages to show, or nil and the reason.
    func openButtonClicked() -> (pages: [[String: String]]?, reason: String) {
        let ride = routes.routeURL(RideRoute.main)  // returns a value or an error immediately
        guard let ridePage = ride.value as? [String: String] else {
            return (nil, "\(ride.error?.reason as Any)")
        }
        guard let payTypePage = routes.routeURL(PayTypeRoute.main).value as? [String: String] else {
            return ([ridePage], "")  // without the pay-type module, only the ride page is shown
        }
        return ([ridePage, payTypePage], "")
    }
}

/// Installs the modules' routes. The app shell calls this at launch.
func installModules(in routes: Routes) throws {
    try routes.install(RideModule.links)
    try routes.install(PayTypeModule.links)
    try routes.declareRoutes([JourneyRoute.main], module: "Journey")
}

/// Handles a tap on the menu item for journeys, whose module may be missing from the app.
func journeysTapped(_ routes: Routes) -> String {
    let result = routes.routeURL(JourneyRoute.main)
    guard let error = result.error else { return "show \(result.value ?? "nothing")" }
    guard case .absentModule(let module) = error.reason else { return "\(error)" }
    return "hide the menu item: \(module) is not in this app"
}
