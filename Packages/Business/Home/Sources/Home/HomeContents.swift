import ApiCenter
import HomeApi
import Pages
import SDKManagerApi
import UserApi

/// What Home shows, on its page and on its screen.
struct HomeContents: Sendable {
    let greeting: String
    /// The banner of the day, or why there is none.
    let banner: Result<HomeBanner, any Error>
    let isLoggedIn: Bool
    /// The shared menu, which leaves out the pages of modules that are not in the app.
    let menu: [SDKMenuItem]

    init(from center: ApiCenter) async {
        do {
            banner = .success(try await center.requireApi(type: HomeApiProtocol.self).banner())
        } catch {
            banner = .failure(error)
        }
        // Read after the server has answered, because the passenger may have logged out meanwhile.
        let passenger = center.api(type: UserApiProtocol.self)?.session?.name
        (greeting, isLoggedIn) = (
            passenger.map { "Good day, \($0)." } ?? "Welcome to the metro.", passenger != nil
        )
        menu = center.api(type: SDKManagerApiProtocol.self)?.moreMenu() ?? []
    }

    /// The title of the row that opens the passenger's account.
    var accountTitle: String { isLoggedIn ? "Your account" : "Log in" }
}
