/// What other modules may ask of PayType: how the passenger pays, and to be paid.
///
/// Every call is safe from any task.
public protocol PayTypeApiProtocol: Sendable {
    /// What the passenger may pay with, the best first. Not empty.
    var payTypes: [PayType] { get }

    /// What the passenger has picked; nil before that.
    var selected: PayType? { get }

    /// Picks a pay type, for this and later rides. A code that was shown before is replaced by a new one.
    ///
    /// - Parameter id: The ``PayType/id`` of one of ``payTypes``.
    /// - Throws: ``PayTypeApiError``; then the pick and the code are what they were.
    func select(_ id: String) throws(PayTypeApiError)

    /// Takes money by the pay type that is picked.
    ///
    /// - Parameters:
    ///   - cents: How much. Not below 0.
    ///   - purpose: What for, as the passenger's statement shows it.
    /// - Returns: The receipt, one line.
    /// - Throws: ``PayTypeApiError``; then nothing was taken.
    func pay(cents: Int, for purpose: String) throws(PayTypeApiError) -> String
}
