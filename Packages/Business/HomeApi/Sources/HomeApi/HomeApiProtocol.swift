/// Home's interface for other modules: the banner of the day.
///
/// All methods are thread-safe.
public protocol HomeApiProtocol: Sendable {
    /// Returns the banner of the day, from the cache or from the server.
    ///
    /// For one minute, a cached banner is returned without a request. If the server fails, a cached banner is
    /// returned for up to a day.
    ///
    /// - Throws: ``HomeApiError/noBanner(_:)``.
    func banner() async throws(HomeApiError) -> HomeBanner
}
