/// PayType's interface for other modules: selects a payment method and takes the fares of rides.
///
/// The operator's server keeps the wallets: it computes each fare, debits it, and refuses what a passenger may not use.
/// The app only asks, and shows the answers.
///
/// All members are thread-safe. The methods send requests and write files off the caller's actor.
public protocol PayTypeApiProtocol: Sendable {
    /// The payment methods that the passenger can select, the preferred one first. Never empty.
    var payTypes: [PayType] { get }

    /// The selected payment method, as of the operator's last answer on this device; nil if there is none or nobody is
    /// logged in. Like ``PayWallet/selected``, it may be one that this app does not offer.
    var selected: PayType? { get }

    /// Asks the operator for the passenger's wallet. If the operator does not answer, returns its last answer, which is
    /// marked.
    ///
    /// - Throws: ``PayTypeApiError/notLoggedIn``, ``PayTypeApiError/refused(name:reason:)``, or
    ///   ``PayTypeApiError/unreachable(_:)`` when there is no last answer either.
    func wallet() async throws(PayTypeApiError) -> PayWallet

    /// Selects the payment method for this ride and later ones, and makes Ride replace the current code.
    ///
    /// - Parameters:
    ///   - id: The ``PayType/id`` of one of ``payTypes``.
    ///   - passenger: The ID of the passenger's session; nil for whoever is logged in.
    /// - Throws: ``PayTypeApiError``. In that case the selection does not change, except that it may have changed after
    ///   ``PayTypeApiError/unreachable(_:)``, after ``PayTypeApiError/outcomeUnknown(_:)``, and after
    ///   ``PayTypeApiError/notLoggedIn``, which is also thrown if the passenger logs out during the call.
    func select(_ id: String, for passenger: String?) async throws(PayTypeApiError)

    /// Pays the fare of a ride with the selected payment method of ``PayTrip/passenger``, who must be logged in. The
    /// operator computes the fare.
    ///
    /// - Idempotent: a repeat with the same ``PayTrip/key`` returns the same payment, and takes no money again.
    /// - Throws: ``PayTypeApiError``. In that case no money is taken, except that it may have been after
    ///   ``PayTypeApiError/unreachable(_:)``, ``PayTypeApiError/outcomeUnknown(_:)`` and
    ///   ``PayTypeApiError/notLoggedIn`` (if the passenger logs out during the call): repeat the call with the same key.
    func pay(_ trip: PayTrip) async throws(PayTypeApiError) -> Payment
}

extension PayTypeApiProtocol {
    /// Selects the payment method of whoever is logged in. See ``select(_:for:)``.
    public func select(_ id: String) async throws(PayTypeApiError) { try await select(id, for: nil) }
}
