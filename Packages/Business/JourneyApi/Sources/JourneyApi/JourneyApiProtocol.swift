/// Journey's interface for other modules: the rides that a passenger has taken.
///
/// All methods are thread-safe. The asynchronous ones send requests and write files off the caller's actor.
public protocol JourneyApiProtocol: Sendable {
    /// Returns the logged-in passenger's journeys, newest first: by ``Journey/date``, and among equal dates the one that was
    /// saved last. A journey that is saved late, because its payment had to be repeated, has its place by its date.
    ///
    /// - Parameter limit: The maximum number of journeys to return. With 0 or less, the result is empty.
    /// - Throws: ``JourneyApiError/notLoggedIn``.
    func journeys(limit: Int) throws(JourneyApiError) -> [Journey]

    /// Saves a journey of a passenger, who may have logged out since. The journey is on disk when this method returns.
    ///
    /// - Idempotent: an equal journey of the same passenger is saved once.
    /// - Parameters:
    ///   - journey: The journey.
    ///   - passenger: The ID of the passenger's session.
    /// - Throws: ``JourneyApiError/notSaved(_:)``.
    func record(_ journey: Journey, of passenger: String) async throws(JourneyApiError)

    /// Downloads the operator's statement of the logged-in passenger's journeys. An interrupted download continues
    /// where it stopped, even after a restart of the app.
    ///
    /// - Returns: One line of text for each journey, newest first.
    /// - Throws: ``JourneyApiError/notLoggedIn``, also if the session changes during the download, or
    ///   ``JourneyApiError/unreachable(_:)``.
    func statement() async throws(JourneyApiError) -> [String]
}
