/// What other modules may ask of Home: the banner.
///
/// Every call is safe from any task.
public protocol HomeApiProtocol: Sendable {
    /// The banner of the day, from the server, or from the cache while it is fresh.
    ///
    /// - Throws: ``HomeApiError``.
    func banner() async throws(HomeApiError) -> HomeBanner

    /// The page that a tap on the banner shows: its fields.
    ///
    /// - Throws: ``HomeApiError/noPage(_:)``.
    func open(_ banner: HomeBanner) throws(HomeApiError) -> [String: String]
}
