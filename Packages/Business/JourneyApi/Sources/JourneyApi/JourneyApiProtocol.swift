/// Journey's interface for other modules: the rides that a passenger has taken.
///
/// All methods are thread-safe. The asynchronous ones send requests and write files off the caller's actor.
public protocol JourneyApiProtocol: Sendable {
    /// Returns the logged-in passenger's journeys, newest first.
    ///
    /// - Parameter limit: The maximum number of journeys to return. With 0 or less, the result is empty.
    /// - Throws: ``JourneyApiError/notLoggedIn``.
    func journeys(limit: Int) throws(JourneyApiError) -> [Journey]

    /// Saves a journey of the logged-in passenger. The journey is on disk when this method returns.
    ///
    /// - Throws: ``JourneyApiError``. In that case the journey is not saved.
    func record(_ journey: Journey) async throws(JourneyApiError)

    /// Downloads the operator's statement of the logged-in passenger's journeys. An interrupted download continues
    /// where it stopped, even after a restart of the app.
    ///
    /// - Returns: One line of text for each journey, newest first.
    /// - Throws: ``JourneyApiError/notLoggedIn`` or ``JourneyApiError/unreachable(_:)``.
    func statement() async throws(JourneyApiError) -> [String]
}
