/// PayType's interface for other modules: selects a payment method and takes payments.
///
/// All members are thread-safe.
public protocol PayTypeApiProtocol: Sendable {
    /// The payment methods that the passenger can select, the preferred one first. Never empty.
    var payTypes: [PayType] { get }

    /// The selected payment method; nil until the passenger selects one.
    var selected: PayType? { get }

    /// Selects the payment method for this ride and later ones, and makes Ride replace the current code.
    ///
    /// - Parameter id: The ``PayType/id`` of one of ``payTypes``.
    /// - Throws: ``PayTypeApiError``. In that case the selection and the code do not change.
    func select(_ id: String) throws(PayTypeApiError)

    /// Takes a payment with the selected payment method.
    ///
    /// - Parameters:
    ///   - cents: The amount, 0 or more.
    ///   - purpose: The reason for the payment, as shown on the passenger's receipt.
    /// - Returns: The receipt, a single line.
    /// - Throws: ``PayTypeApiError``. In that case no money is taken.
    func pay(cents: Int, for purpose: String) throws(PayTypeApiError) -> String
}
