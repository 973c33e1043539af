import Routes

/// The page that opens a city service. It depends on the names of the other pages' routes, not on their modules.
struct CityServiceOpenVC {
    let routes: Routes

    /// Handles a tap on the button. Returns the pages to show, or nil and the reason.
    func openButtonClicked() -> (pages: [[String: String]]?, reason: String) {
        let bybus = routes.routeURL(BybusRoute.fetchMainVC)  // returns a value or an error immediately
        guard let bybusVC = bybus.value as? [String: String] else {
            return (nil, "\(bybus.error?.reason as Any)")
        }
        guard let payTypeVC = routes.routeURL(PayTypeRoute.fetchMainVC).value as? [String: String] else {
            return ([bybusVC], "")  // without the pay-type module, only the ride page is shown
        }
        return ([bybusVC, payTypeVC], "")
    }
}

/// Installs the modules' routes. The app shell calls this at launch.
func installModules(in routes: Routes) throws {
    try routes.install(ZYHMByBusModule.links)
    try routes.install(PayTypeModule.links)
    try routes.declareRoutes([JourneyRoute.fetchMainVC], module: "Journey")
}

/// Handles a tap on the menu item for journeys, whose module may be missing from the app.
func journeysTapped(_ routes: Routes) -> String {
    let result = routes.routeURL(JourneyRoute.fetchMainVC)
    guard let error = result.error else { return "show \(result.value ?? "nothing")" }
    guard case .absentModule(let module) = error.reason else { return "\(error)" }
    return "hide the menu item: \(module) is not in this app"
}
