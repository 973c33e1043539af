/// What other modules may ask of Ride: a code to ride with, and to be let through a gate by it.
///
/// Every call is safe from any task.
public protocol RideApiProtocol: Sendable {
    /// The stations of the line, in their order.
    var stations: [String] { get }

    /// Where the passenger who is logged in went in and has not come out yet; nil when not on a ride.
    var enteredAt: String? { get }

    /// The passenger's code: the one at hand while it is good, else a new one.
    ///
    /// - Throws: ``RideApiError/notLoggedIn``, ``RideApiError/serviceNotOpen`` or ``RideApiError/noPayType``.
    func code() throws(RideApiError) -> RideTicket

    /// Shows a code at a station's gate, which lets its passenger in, or out again for the fare.
    ///
    /// Each code opens one gate. Where a module that pays or one that keeps journeys is not in this app, the
    /// gate opens all the same, and the passage says so.
    ///
    /// - Parameters:
    ///   - code: The text of ``RideTicket/code``.
    ///   - station: One of ``stations``.
    /// - Throws: ``RideApiError``; then the gate stays shut, and whoever is on a ride still is. Only where a fare
    ///   was refused and the ride could not be kept either (``RideApiError/notSaved(_:)``) is it over, unpaid.
    func passGate(code: String, at station: String) throws(RideApiError) -> Passage
}
