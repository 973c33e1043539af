import APIService
import ApiCenter
import ErrorCode
import Foundation
import Locking
import Money
import PayTypeApi
import RideApi
import Storage
import TransitRequests

/// An alternative IMP of PayType's Api: passengers pay by phone or by watch. The selection belongs to the
/// device, so all passengers who log in on the device share it.
final class PayTypeCashlessService: PayTypeApiProtocol {
    let payTypes = [PayType(id: "phone", name: "Phone"), PayType(id: "watch", name: "Watch")]

    /// What PayTypeCashless works with once it is open.
    private struct Parts: Sendable {
        let network: APIService
        let notifications: NotificationCenter
        let saved: Document<String?>
    }

    private let parts = SetOnce<Parts>()

    /// Opens the selection. Called once. Until then, nothing is selected.
    ///
    /// - Throws: `ApiError` or `StorageError`.
    func open(in center: ApiCenter) throws {
        parts.set(
            Parts(
                network: try center.requireApi(type: APIService.self),
                notifications: try center.requireApi(type: NotificationCenter.self),
                saved: try center.requireApi(type: Storage.self)
                    .document("phone-payment", version: 1, default: String?.none)))
    }

    var selected: PayType? { payTypes.first { $0.id == parts.value?.saved.value } }

    func wallet() -> PayWallet { PayWallet(selected: selected, balance: nil) }

    @concurrent func select(_ id: String) async throws(PayTypeApiError) {
        guard payTypes.contains(where: { $0.id == id }), let parts = parts.value else {
            throw .unknown(id: id)
        }
        try parts.saved.update(orThrow: PayTypeApiError.notSaved) { $0 = id }
        parts.notifications.post(name: Notification.Name(RideNotification.refreshCode), object: nil)
    }

    @concurrent func pay(_ trip: PayTrip) async throws(PayTypeApiError) -> Payment {
        guard let selected, let parts = parts.value else { throw .noneSelected }
        do {
            let answer = try await parts.network.ask(
                PaymentRequest(
                    key: trip.key, exit: trip.exit, from: trip.from, to: trip.to, device: selected.id)
            ).payload
            let device = payTypes.first { $0.id == answer.paidWith }?.name ?? answer.paidWith
            let fare = Money(cents: answer.cents)
            return Payment(
                cents: answer.cents, receipt: "\(trip.from) - \(trip.to): \(fare) by \(device.lowercased())")
        } catch {
            switch error {
            case .refused(.notLoggedIn), .refused(.sessionExpired): throw .notLoggedIn
            case .refused(let code): throw .refused(name: selected.name, reason: code.message)
            case .network: throw .unreachable(error.description)
            }
        }
    }
}
