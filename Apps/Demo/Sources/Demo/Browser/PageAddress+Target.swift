import Foundation
import HomeApi
import JourneyApi
import Pages
import PayTypeApi
import RideApi
import ServiceOpenApi
import UserApi
import WebContainerApi

extension PageAddress {
    /// The address of the first page.
    static let first = PageAddress("")

    /// The paths of the pages that a passenger sees in the browser's address, instead of their routes.
    private static let paths = [
        HomeRoute.main: "home", RideRoute.main: "ride", PayTypeRoute.main: "payment",
        JourneyRoute.main: "my-journeys", UserRoute.main: "account",
        ServiceOpenRoute.main: "open-the-service",
        WebContainerRoute.page: "web",
    ]

    /// Parses the target of an HTTP request, such as `/ride_vc?code=1`. Routes never receive reserved parameters, which
    /// begin with "@".
    init(target: String) {
        let query = String(target.drop { $0 != "?" }.dropFirst())
        let path = String(target.prefix { $0 != "?" }.drop { $0 == "/" })
        self.init(
            Self.paths.first { $0.value == path }?.key ?? path,
            query.formValues.filter { !$0.key.hasPrefix("@") })
    }

    /// The path and the query of the page's URL in the browser.
    ///
    /// - Parameter done: The identifier of the outcome to show above the page.
    func target(done: String? = nil) -> String {
        var items = parameters
        items[FormName.done] = done
        var parts = URLComponents()
        parts.queryItems = items.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0, value: $1) }
        let query = parts.percentEncodedQuery?.replacing("+", with: "%2B") ?? ""
        let path =
            (Self.paths[route] ?? route).addingPercentEncoding(
                withAllowedCharacters: .urlPathAllowed.union(["%"])) ?? ""
        return "/\(path)" + (query.isEmpty ? "" : "?" + query)
    }
}

extension String {
    /// The values of a form or a query, `application/x-www-form-urlencoded`. The last value of a name counts.
    var formValues: [String: String] {
        let items = URLComponents(string: "?" + replacing("+", with: "%20"))?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    }
}
