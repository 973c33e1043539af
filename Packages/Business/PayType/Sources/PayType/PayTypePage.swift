import ApiCenter
import Foundation
import Money
import Pages
import PayTypeApi
import RideApi
import UserApi

/// The page that offers the payment methods.
struct PayTypePage: Page {
    let center: ApiCenter
    let title = "Payment methods"

    func contents() async throws -> [PageContent] {
        guard center.api(type: UserApiProtocol.self)?.session != nil else {
            throw PayTypeApiError.notLoggedIn
        }
        let pay = try center.requireApi(type: PayTypeApiProtocol.self)
        let wallet = try await pay.wallet()
        return [
            .text(text(of: wallet)),
            .rows(
                pay.payTypes.map {
                    PageRow($0.name, isSelected: $0 == wallet.selected, .action("select", row: $0.id))
                }),
            .rows([PageRow("Ride", opens: RideRoute.main)]),
        ]
    }

    /// The balance. If the operator does not answer, it is marked as the operator's last answer.
    private func text(of wallet: PayWallet) -> String {
        let balance = wallet.balance.map { "Your balance is \(Money(cents: $0))" } ?? "You have no balance"
        guard let date = wallet.lastAnswer else { return balance + "." }
        let time = date.formatted(
            .iso8601.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false))
        return "\(balance), as of the operator's last answer (\(time) UTC). The operator does not answer now."
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
        case .unreachable(let why), .outcomeUnknown(let why): PageError(why)
        case .unknown: PageError("This payment method does not exist. Please choose another.")
        case .noneSelected: PageError("Please choose a payment method first.")
        case .notSaved(let why):
            PageError("Your choice could not be saved on this device.", reason: why)
        case nil: .from(error)
        }
    }
}
