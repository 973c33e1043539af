import Money
import PayTypeApi

/// What a passenger pays with.
struct Wallet: Codable, Sendable {
    /// The ways to pay of this IMP.
    enum Means: String, Codable, CaseIterable {
        case bankCard = "bank-card"
        case balance
        case monthPass = "month-pass"

        var payType: PayType {
            switch self {
            case .bankCard: PayType(id: rawValue, name: "Bank card")
            case .balance: PayType(id: rawValue, name: "Balance")
            case .monthPass: PayType(id: rawValue, name: "Month pass")
            }
        }
    }

    private(set) var selected: Means?
    /// In cents. Everybody begins with a present of the operator's.
    private(set) var balance = 1000

    mutating func select(_ means: Means) throws(PayTypeApiError) {
        try check(means)
        selected = means
    }

    /// - Returns: The receipt.
    mutating func pay(_ cents: Int, for purpose: String) throws(PayTypeApiError) -> String {
        guard let selected else { throw .noneSelected }
        let price = Money(cents: cents)
        guard cents >= 0 else {
            throw .refused(name: selected.payType.name, reason: "\(price) is no amount to pay")
        }
        try check(selected)
        switch selected {
        case .balance:
            guard cents <= balance else {
                throw .refused(
                    name: selected.payType.name,
                    reason: "\(price) is more than the \(Money(cents: balance)) that are left")
            }
            balance -= cents
            return "\(purpose): \(price) from the balance, which leaves \(Money(cents: balance))"
        case .monthPass: return "\(purpose): \(price), paid for with the month pass"
        case .bankCard: return "\(purpose): \(price) from the bank card"
        }
    }

    private func check(_ means: Means) throws(PayTypeApiError) {
        // The only card on file is an old one.
        if means == .bankCard { throw .refused(name: means.payType.name, reason: "the card expired in 2020") }
    }
}
