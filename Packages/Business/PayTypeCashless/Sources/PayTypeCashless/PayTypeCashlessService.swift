import Foundation
import Money
import PayTypeApi
import RideApi
import Storage

/// An alternative IMP of PayType's Api: passengers pay by phone or by watch. The selection belongs to the
/// device, so all passengers who log in on the device share it.
final class PayTypeCashlessService: PayTypeApiProtocol {
    let payTypes = [PayType(id: "phone", name: "Phone"), PayType(id: "watch", name: "Watch")]

    private let notifications: NotificationCenter
    private let saved: Document<String?>

    init(notifications: NotificationCenter, selected: Document<String?>) {
        (self.notifications, saved) = (notifications, selected)
    }

    var selected: PayType? { payTypes.first { $0.id == saved.value } }

    func select(_ id: String) throws(PayTypeApiError) {
        guard payTypes.contains(where: { $0.id == id }) else { throw .unknown(id: id) }
        try saved.update(orThrow: PayTypeApiError.notSaved) { $0 = id }
        notifications.post(name: Notification.Name(RideNotification.refreshCode), object: nil)
    }

    func pay(cents: Int, for purpose: String) throws(PayTypeApiError) -> String {
        guard let selected else { throw .noneSelected }
        return "\(purpose): \(Money(cents: cents)) by \(selected.name.lowercased())"
    }
}
