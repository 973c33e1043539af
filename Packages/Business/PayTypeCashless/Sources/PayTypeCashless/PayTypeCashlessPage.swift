import ApiCenter
import Pages
import PayTypeApi
import RideApi
import UserApi

/// The page that offers the devices to pay with. It answers the route of PayType's page, so no caller changes.
struct PayTypeCashlessPage: Page {
    let center: ApiCenter
    let title = "Cashless payment"

    func contents() async throws -> [PageContent] {
        let pay = try center.requireApi(type: PayTypeApiProtocol.self)
        let selected = try await pay.wallet().selected
        return [
            .text("Choose the device that you hold up to the gate."),
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
        case .unknown: PageError("You cannot pay with this device. Please choose another.")
        case .notSaved(let why): PageError("Your choice could not be saved on this device.", reason: why)
        case .refused(let name, let reason): PageError("\(name): \(reason)")
        case .unreachable(let why), .outcomeUnknown(let why): PageError(why)
        case .noneSelected, nil: .from(error)
        }
    }
}
