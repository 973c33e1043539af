import ApiCenter
import Foundation
import PayTypeApi
import RideApi
import Storage
import UserApi

/// PayType's IMP: one object, shared by all callers.
final class PayTypeService: PayTypeApiProtocol {
    /// The stored data: one wallet per passenger, keyed by user ID.
    typealias Saved = [String: Wallet]

    private unowned let center: ApiCenter
    private let notifications: NotificationCenter
    private let saved: Document<Saved>

    init(center: ApiCenter, notifications: NotificationCenter, saved: Document<Saved>) {
        (self.center, self.notifications, self.saved) = (center, notifications, saved)
    }

    var payTypes: [PayType] { Wallet.Means.allCases.map(\.payType) }

    var selected: PayType? {
        guard let passenger = try? passenger() else { return nil }
        return saved.value[passenger]?.selected?.payType
    }

    func select(_ id: String) throws(PayTypeApiError) {
        guard let means = Wallet.Means(rawValue: id) else { throw .unknown(id: id) }
        try update { (wallet) throws(PayTypeApiError) in try wallet.select(means) }
        // The code on the screen was issued for the previous payment method.
        notifications.post(name: Notification.Name(RideNotification.refreshCode), object: nil)
    }

    func pay(cents: Int, for purpose: String) throws(PayTypeApiError) -> String {
        try update { (wallet) throws(PayTypeApiError) in try wallet.pay(cents, for: purpose) }
    }

    /// Changes the passenger's wallet in memory and on disk. If `change` throws or the wallet
    /// cannot be written, the wallet stays unchanged.
    private func update<Value: Sendable>(
        _ change: (inout Wallet) throws(PayTypeApiError) -> Value
    ) throws(PayTypeApiError) -> Value {
        let passenger = try passenger()
        return try saved.update(orThrow: PayTypeApiError.notSaved) { (wallets) throws(PayTypeApiError) in
            try change(&wallets[passenger, default: Wallet()])
        }
    }

    private func passenger() throws(PayTypeApiError) -> String {
        guard let session = center.api(type: UserApiProtocol.self)?.session else { throw .notLoggedIn }
        return session.id
    }
}
