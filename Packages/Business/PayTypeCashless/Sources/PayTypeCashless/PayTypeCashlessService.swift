import APIService
import ApiCenter
import ErrorCode
import Foundation
import Money
import PayTypeApi
import RideApi
import Storage
import TransitRequests
import UserApi

/// An alternative IMP of PayType's Api: passengers pay by phone or by watch. The selection belongs to the
/// device, so all passengers who log in on the device share it.
final class PayTypeCashlessService: PayTypeApiProtocol {
    let payTypes = [PayType(id: "phone", name: "Phone"), PayType(id: "watch", name: "Watch")]

    private weak let center: ApiCenter?
    private let network: APIService
    private let notifications: NotificationCenter
    private let saved: Document<String?>

    /// Opens the selection.
    ///
    /// - Throws: `ApiError` or `StorageError`.
    init(center: ApiCenter) throws {
        self.center = center
        network = try center.requireApi(type: APIService.self)
        notifications = try center.requireApi(type: NotificationCenter.self)
        saved = try center.requireApi(type: Storage.self)
            .document("phone-payment", version: 1, default: String?.none)
    }

    var selected: PayType? {
        guard session != nil else { return nil }
        return payTypes.first { $0.id == saved.value }
    }

    func wallet() throws(PayTypeApiError) -> PayWallet {
        _ = try passenger()
        return PayWallet(selected: selected, balance: nil)
    }

    @concurrent func select(_ id: String, for expected: String?) async throws(PayTypeApiError) {
        guard payTypes.contains(where: { $0.id == id }) else { throw .unknown(id: id) }
        _ = try passenger(expected)
        try saved.update(orThrow: PayTypeApiError.notSaved) { $0 = id }
        notifications.post(name: Notification.Name(RideNotification.refreshCode), object: nil)
    }

    @concurrent func pay(_ trip: PayTrip) async throws(PayTypeApiError) -> Payment {
        let passenger = try passenger(trip.passenger)
        guard let selected else { throw .noneSelected }
        do {
            let answer = try await network.ask(
                PaymentRequest(
                    of: passenger, key: trip.key, exit: trip.exit, from: trip.from, to: trip.to,
                    device: selected.id)
            ).payload
            let device = payTypes.first { $0.id == answer.paidWith }?.name ?? answer.paidWith
            let fare = Money(cents: answer.cents)
            return Payment(
                cents: answer.cents, receipt: "\(trip.from) - \(trip.to): \(fare) by \(device.lowercased())")
        } catch {
            if case .network(.userChanged) = error { throw .notLoggedIn }
            switch error.refusal {
            case .notLoggedIn, .sessionExpired: throw .notLoggedIn
            case let code?: throw .refused(name: selected.name, reason: code.message)
            case nil where error.isUnanswered: throw .unreachable(error.description)
            case nil: throw .outcomeUnknown(error.description)
            }
        }
    }

    private var session: UserSession? { center?.api(type: UserApiProtocol.self)?.session }

    /// - Parameter expected: The passenger who must be logged in; nil for anyone.
    private func passenger(_ expected: String? = nil) throws(PayTypeApiError) -> String {
        guard let session, expected == nil || session.id == expected else { throw .notLoggedIn }
        return session.id
    }
}
