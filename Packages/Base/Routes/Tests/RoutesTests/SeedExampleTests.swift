import Routes
import Testing

@Suite("Seed 4's example: opening a service shows the ride page and the pay-type page")
struct SeedExampleTests {
    private let routes = Routes()

    @Test("The caller gets both pages by their route names, without importing their modules")
    func bothPages() throws {
        try installModules(in: routes)
        let (pages, _) = ServiceOpenPage(routes: routes).openButtonClicked()
        #expect(pages == [["page": "RidePage"], ["page": "PayTypePage", "selected": "none"]])
    }

    @Test("A caller can handle the absence of a module")
    func leftOut() throws {
        try installModules(in: routes)
        #expect(journeysTapped(routes) == "hide the menu item: Journey is not in this app")
        try routes.addRoute(JourneyRoute.main) { parameters in
            .success(["page": "JourneyVC", "month": parameters.param("month", "this")])
        }
        #expect(
            routes.routeURL("journey_vc?month=5").value as? [String: String] == [
                "page": "JourneyVC", "month": "5",
            ])
        routes.removeRoute(PayTypeRoute.main)
        #expect(ServiceOpenPage(routes: routes).openButtonClicked().pages == [["page": "RidePage"]])
        routes.removeRoute(RideRoute.main)
        #expect(ServiceOpenPage(routes: routes).openButtonClicked().pages == nil)
    }

    @Test("Routes.globalRoutes is one registry that all code shares")
    func global() throws {
        try Routes.globalRoutes.addRoute("seed_example_vc") { _ in .success("page") }
        #expect(Routes.globalRoutes.routeURL("seed_example_vc").value as? String == "page")
        #expect(Routes.globalRoutes.removeRoute("seed_example_vc"))
        #expect(!Routes.globalRoutes.canRoute("seed_example_vc"))
    }
}
