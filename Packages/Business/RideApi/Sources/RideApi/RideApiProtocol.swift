/// Ride's interface for other modules: the passenger's side of a ride. It shows the operator's ride codes, passes gates
/// with them, and takes the fare.
///
/// All members are thread-safe. The asynchronous ones send requests and write files off the caller's actor.
public protocol RideApiProtocol: Sendable {
    /// The stations in the order of the line.
    var stations: [String] { get }

    /// The station where the logged-in passenger's current ride began; nil when no ride is in progress.
    var enteredAt: String? { get }

    /// Returns the passenger's current code if the code is still valid, otherwise a new one.
    ///
    /// - Throws: ``RideApiError/notLoggedIn``, ``RideApiError/serviceNotOpen``, ``RideApiError/noPayType`` or
    ///   ``RideApiError/unreachable(_:)``.
    func code() async throws(RideApiError) -> RideTicket

    /// Shows a code at a station's gate. The gate lets the passenger in, or takes the fare and lets the
    /// passenger out.
    ///
    /// Each code opens one gate. The gate opens even if the app has no payment module (the ride is then free, and
    /// ``Fare/receipt`` nil), its payment module cannot be built (``RideApiError/paymentUnknown(_:)``), or it has no module that
    /// saves journeys (``Fare/isRecorded`` is then false).
    ///
    /// - Parameters:
    ///   - code: The text of ``RideTicket/code``.
    ///   - station: One of ``stations``.
    /// - Throws: ``RideApiError``. A current ride then continues, with two exceptions: after
    ///   ``RideApiError/paymentUnknown(_:)``, and if the session changes after the gate has opened
    ///   (``RideApiError/notLoggedIn``), it has ended, and its payment is repeated. The gate has opened before
    ///   ``RideApiError/notSaved(_:)``, and may have opened before ``RideApiError/unreachable(_:)``: then pass the same code
    ///   again, until this method returns or throws another error. The code still opens only one gate.
    func passGate(code: String, at station: String) async throws(RideApiError) -> Passage

    /// The events of a station's gates, as they happen. Only one loop may read the stream. A loop that is more than 100
    /// events behind misses the oldest ones.
    ///
    /// The stream ends when the server ends it. The loop throws a ``RideApiError`` if the station does not
    /// exist or the connection fails. Leaving the loop ends the connection.
    ///
    /// - Parameter station: One of ``stations``.
    func gateEvents(at station: String) -> AsyncThrowingStream<GateEvent, any Error>
}
