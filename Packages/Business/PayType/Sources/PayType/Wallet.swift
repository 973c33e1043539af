import Money
import PayTypeApi

/// A passenger's selected payment method, and the prepaid balance.
struct Wallet: Codable, Sendable {
    /// The payment methods that this IMP offers.
    enum Means: String, Codable, CaseIterable {
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
    }

    private(set) var selected: Means?
    /// The balance in cents. Every new passenger gets a starting credit from the operator.
    private(set) var balance = 1000

    mutating func select(_ means: Means) throws(PayTypeApiError) {
        try check(means)
        selected = means
    }

    /// Pays with the selected payment method.
    ///
    /// - Returns: The receipt, one line.
    /// - Throws: ``PayTypeApiError``. In that case the balance is unchanged.
    mutating func pay(_ cents: Int, for purpose: String) throws(PayTypeApiError) -> String {
        guard let selected else { throw .noneSelected }
        let price = Money(cents: cents)
        guard cents >= 0 else {
            throw .refused(name: selected.payType.name, reason: "\(price) is not a valid amount")
        }
        try check(selected)
        switch selected {
        case .balance:
            guard cents <= balance else {
                throw .refused(
                    name: selected.payType.name,
                    reason: "\(price) is more than the remaining \(Money(cents: balance))")
            }
            balance -= cents
            return "\(purpose): \(price) from the balance, which leaves \(Money(cents: balance))"
        case .monthPass: return "\(purpose): \(price), paid with the monthly pass"
        case .bankCard: return "\(purpose): \(price) from the bank card"
        }
    }

    private func check(_ means: Means) throws(PayTypeApiError) {
        // The only card on file has expired.
        if means == .bankCard { throw .refused(name: means.payType.name, reason: "the card expired in 2020") }
    }
}
