/// PayType's interface for other modules: selects a payment method and takes the fares of rides.
///
/// The operator's server keeps the wallets: it computes each fare, debits it, and refuses what a passenger may not use.
/// The app only asks, and shows the answers.
///
/// All members are thread-safe. The methods send requests and write files off the caller's actor.
public protocol PayTypeApiProtocol: Sendable {
    /// The payment methods that the passenger can select, the preferred one first. Never empty.
    var payTypes: [PayType] { get }

    /// The selected payment method, as of the operator's last answer; nil until the passenger selects one.
    var selected: PayType? { get }

    /// Asks the operator for the passenger's wallet. Without a connection, returns the last answer, which is marked.
    ///
    /// - Throws: ``PayTypeApiError/notLoggedIn``, or ``PayTypeApiError/unreachable(_:)`` when there is no last answer
    ///   either.
    func wallet() async throws(PayTypeApiError) -> PayWallet

    /// Selects the payment method for this ride and later ones, and makes Ride replace the current code.
    ///
    /// - Parameter id: The ``PayType/id`` of one of ``payTypes``.
    /// - Throws: ``PayTypeApiError``. In that case the selection and the code do not change.
    func select(_ id: String) async throws(PayTypeApiError)

    /// Pays the fare of a ride with the selected payment method. The operator computes the fare.
    ///
    /// - Idempotent: a repeat with the same ``PayTrip/key`` returns the same payment, and takes no money again.
    /// - Throws: ``PayTypeApiError``. In that case no money is taken, except that after
    ///   ``PayTypeApiError/unreachable(_:)`` it may have been: repeat the call with the same key.
    func pay(_ trip: PayTrip) async throws(PayTypeApiError) -> Payment
}
