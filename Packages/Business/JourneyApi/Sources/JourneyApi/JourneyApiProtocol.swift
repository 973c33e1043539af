/// What other modules may ask of Journey: the rides a passenger has taken.
///
/// Every call is safe from any task.
public protocol JourneyApiProtocol: Sendable {
    /// The passenger's rides, newest first.
    ///
    /// - Parameter limit: The most rides to return; 0 gives none.
    /// - Throws: ``JourneyApiError/notLoggedIn``.
    func journeys(limit: Int) throws(JourneyApiError) -> [Journey]

    /// Keeps a ride of the passenger who is logged in. It is on disk when this returns.
    ///
    /// - Throws: ``JourneyApiError``; then the ride is not kept.
    func record(_ journey: Journey) throws(JourneyApiError)
}
