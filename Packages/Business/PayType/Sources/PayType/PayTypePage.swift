import ApiCenter
import Pages
import PayTypeApi
import RideApi
import UserApi

/// The page that offers the payment methods.
struct PayTypePage: Page {
    let center: ApiCenter
    let title = "Payment methods"

    func contents() throws -> [PageContent] {
        guard center.api(type: UserApiProtocol.self)?.session != nil else {
            throw PayTypeApiError.notLoggedIn
        }
        let pay = try center.requireApi(type: PayTypeApiProtocol.self)
        let selected = pay.selected
        return [
            .rows(
                pay.payTypes.map {
                    PageRow($0.name, isSelected: $0 == selected, .action("select", row: $0.id))
                }),
            .rows([PageRow("Ride", opens: RideRoute.main)]),
        ]
    }

    func perform(_ tap: PageTap) async throws -> PageStep {
        guard tap.action == "select", let id = tap.row else { throw tap.unknownAction }
        let pay = try center.requireApi(type: PayTypeApiProtocol.self)
        try await pay.select(id)
        return .stay(saying: "You pay with: \(pay.selected?.name ?? id)")
    }

    func failure(for error: any Error) -> PageError {
        switch error as? PayTypeApiError {
        case .notLoggedIn:
            PageError("Please log in first.", wayOut: PageRow("Log in", opens: UserRoute.main))
        case .refused(let name, let reason): PageError("\(name): \(reason)")
        case .unreachable(let why): PageError(why)
        case .unknown: PageError("This payment method does not exist. Please choose another.")
        case .noneSelected: PageError("Please choose a payment method first.")
        case .notSaved(let why):
            PageError("Your choice could not be saved on this device.", reason: why)
        case nil: .from(error)
        }
    }
}
