import Foundation
import Money
import PayTypeApi

/// What the operator's server last said about a passenger's wallet.
struct Wallet: Codable, Sendable {
    /// The payment methods that this IMP offers.
    enum Means: String, CaseIterable {
        case bankCard = "bank-card"
        case balance
        case monthPass = "month-pass"

        var payType: PayType {
            switch self {
            case .bankCard: PayType(id: rawValue, name: "Bank card")
            case .balance: PayType(id: rawValue, name: "Balance")
            case .monthPass: PayType(id: rawValue, name: "Monthly pass")
            }
        }

        /// Returns the receipt for a fare that the operator has taken, and the balance that it left.
        func receipt(for purpose: String, _ fare: Money, leaving balance: Money) -> String {
            switch self {
            case .balance: "\(purpose): \(fare) from the balance, which leaves \(balance)"
            case .monthPass: "\(purpose): \(fare), paid with the monthly pass"
            case .bankCard: "\(purpose): \(fare) from the bank card"
            }
        }
    }

    /// The identifier of the selected payment method.
    let selected: String?
    /// The balance, in cents.
    let balance: Int
    /// When the server answered.
    let date: Date

    var payType: PayType? { selected.map(Self.payType) }

    /// Returns the payment method with this identifier, which the passenger may have selected in another app: then its name
    /// is its identifier.
    static func payType(_ id: String) -> PayType {
        Means(rawValue: id)?.payType ?? PayType(id: id, name: id)
    }
}
