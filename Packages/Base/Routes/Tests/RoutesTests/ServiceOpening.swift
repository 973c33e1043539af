import Routes

/// The service-opening page: it depends on the other pages' route names and on no other page's module.
struct CityServiceOpenVC {
    let routes: Routes

    /// What happens when the button is tapped: the stack of pages to show, or nil and the reason.
    func openButtonClicked() -> (pages: [[String: String]]?, reason: String) {
        let bybus = routes.routeURL(BybusRoute.fetchMainVC)  // answers at once, with a value or a reason
        guard let bybusVC = bybus.value as? [String: String] else {
            return (nil, "\(bybus.error?.code as Any)")
        }
        guard let payTypeVC = routes.routeURL(PayTypeRoute.fetchMainVC).value as? [String: String] else {
            return ([bybusVC], "")  // without the pay-type module the ride page is shown alone
        }
        return ([bybusVC, payTypeVC], "")
    }
}

/// What the app shell does at launch.
func installModules(in routes: Routes) throws {
    try routes.install(ZYHMByBusModule.routes)
    try routes.install(PayTypeModule.routes)
    try routes.declareRoutes([JourneyRoute.fetchMainVC], module: "Journey")
}

/// What happens to the journeys' menu item in an app without the module.
func journeysTapped(_ routes: Routes) -> String {
    switch routes.routeURL(JourneyRoute.fetchMainVC) {
    case .handled(let page): "show \(page ?? "nothing")"
    case .absentModule(let error): "hide the menu item: \(error.detail ?? "") is not in this app"
    case .noMatch(let error), .badParameter(let error), .denied(let error), .failed(let error): "\(error)"
    }
}
