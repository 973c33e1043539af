import APIService
import ApiCenter
import ErrorCode
import Foundation
import Money
import PayTypeApi
import RideApi
import Storage
import TransitRequests

/// An alternative IMP of PayType's Api: passengers pay by phone or by watch. The selection belongs to the
/// device, so all passengers who log in on the device share it.
final class PayTypeCashlessService: PayTypeApiProtocol {
    let payTypes = [PayType(id: "phone", name: "Phone"), PayType(id: "watch", name: "Watch")]

    private let network: APIService
    private let notifications: NotificationCenter
    private let saved: Document<String?>

    /// Opens the selection.
    ///
    /// - Throws: `ApiError` or `StorageError`.
    init(center: ApiCenter) throws {
        network = try center.requireApi(type: APIService.self)
        notifications = try center.requireApi(type: NotificationCenter.self)
        saved = try center.requireApi(type: Storage.self)
            .document("phone-payment", version: 1, default: String?.none)
    }

    var selected: PayType? { payTypes.first { $0.id == saved.value } }

    func wallet() -> PayWallet { PayWallet(selected: selected, balance: nil) }

    @concurrent func select(_ id: String, for passenger: String?) async throws(PayTypeApiError) {
        guard payTypes.contains(where: { $0.id == id }) else { throw .unknown(id: id) }
        try saved.update(orThrow: PayTypeApiError.notSaved) { $0 = id }
        notifications.post(name: Notification.Name(RideNotification.refreshCode), object: nil)
    }

    @concurrent func pay(_ trip: PayTrip) async throws(PayTypeApiError) -> Payment {
        guard let selected else { throw .noneSelected }
        do {
            let answer = try await network.ask(
                PaymentRequest(
                    of: trip.passenger, key: trip.key, exit: trip.exit, from: trip.from, to: trip.to,
                    device: selected.id)
            ).payload
            let device = payTypes.first { $0.id == answer.paidWith }?.name ?? answer.paidWith
            let fare = Money(cents: answer.cents)
            return Payment(
                cents: answer.cents, receipt: "\(trip.from) - \(trip.to): \(fare) by \(device.lowercased())")
        } catch {
            switch error {
            case .refused(.notLoggedIn), .refused(.sessionExpired): throw .notLoggedIn
            case .refused(let code): throw .refused(name: selected.name, reason: code.message)
            case .network(.userChanged): throw .notLoggedIn
            case .network: throw .unreachable(error.description)
            }
        }
    }
}
