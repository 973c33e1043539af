import ApiCenter
import Pages
import PayTypeApi
import RideApi
import Routes
import ServiceOpenApi
import UserApi
import WebContainerApi

/// The page on which the passenger opens the ride service.
struct ServiceOpenPage: Page {
    let center: ApiCenter
    let title = "Open the ride service"

    private var service: any ServiceOpenApiProtocol {
        get throws { try center.requireApi(type: ServiceOpenApiProtocol.self) }
    }

    func contents() throws -> [PageContent] {
        guard center.api(type: UserApiProtocol.self)?.session != nil else {
            throw ServiceOpenApiError.notLoggedIn
        }
        guard try !service.isOpen else {
            return [.text("The service is open."), .rows([PageRow("Ride", opens: RideRoute.main)])]
        }
        return [
            .text("With the ride service, the gates of the metro open for the code in this app."),
            .rows([PageRow("Terms of the ride service", .action("terms", row: ""))]),
            .field(PageField("terms", label: "I have read the terms and agree to them", .box)),
            .button("Open the service", action: "open"),
        ]
    }

    func perform(_ tap: PageTap) async throws -> PageStep {
        switch tap.action {
        case "terms":
            let routes = try center.requireApi(type: Routes.self)
            return .show(
                try await routes.routeURL(
                    WebContainerRoute.page, parameters: ["url": "transit.example/terms"],
                    as: (any Page).self))
        case "open":
            guard tap.isOn("terms") else { throw ServiceOpenApiError.termsNotAgreed }
            try await service.agreeToTerms()
            try await service.open()
            return .open(PayTypeRoute.main, saying: "The service is open. How do you want to pay?")
        default: throw tap.unknownAction
        }
    }

    func failure(for error: any Error) -> PageError {
        switch error {
        case ServiceOpenApiError.notLoggedIn:
            PageError("Please log in first.", wayOut: PageRow("Log in", opens: UserRoute.main))
        case ServiceOpenApiError.termsNotAgreed:
            PageError("Please read the terms and agree to them.", field: "terms")
        case ServiceOpenApiError.notSaved(let why):
            PageError("The service is not open, because this device could not save it.", reason: why)
        case let error as RouteError:
            PageError("This app cannot show web pages.", reason: "\(error)")
        default: .from(error)
        }
    }
}
