/// What other modules may ask of SDKManager: to set the SDK up, and what it was set up with.
///
/// Every call is safe from any task.
public protocol SDKManagerApiProtocol: Sendable {
    /// What the SDK was set up with; nil before that.
    var configuration: SDKConfiguration? { get }

    /// Checks the configuration, sets the app's network client up with it (its accessories are replaced), and hands
    /// over.
    ///
    /// Where the app goes from here is for the layer above to know: it injects the jump.
    ///
    /// - Parameters:
    ///   - configuration: The host app's configuration.
    ///   - jump: Is called once, before this returns, when all went well.
    /// - Throws: ``SDKManagerApiError``; then nothing has changed and `jump` is not called.
    func initialise(
        _ configuration: SDKConfiguration, jump: @Sendable (SDKStart) -> Void
    ) throws(SDKManagerApiError)

    /// The items behind the "more" button that every page shares, in their order. What is not in this app has
    /// no item.
    func moreMenu() -> [SDKMenuItem]

    /// The page of an item, its fields; nil when it cannot be shown.
    func page(of item: SDKMenuItem) -> [String: String]?
}
