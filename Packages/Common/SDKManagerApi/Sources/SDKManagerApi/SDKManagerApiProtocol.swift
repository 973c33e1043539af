/// SDKManager's interface for other modules: initialises the SDK and offers the shared "more" menu.
///
/// All members are thread-safe.
public protocol SDKManagerApiProtocol: Sendable {
    /// Validates the configuration, gives it to the network client, and calls `jump`. From then on, the client sends
    /// the modules' requests to the configured server, with the configured identifier, so no module asks for either.
    ///
    /// SDKManager does not know the app's pages. The layer above injects `jump`, which shows the first page.
    ///
    /// - Parameters:
    ///   - configuration: The host app's configuration.
    ///   - jump: Called once on success, before this method returns.
    /// - Throws: ``SDKManagerApiError``. In that case, the network client stays unchanged and `jump` is not called.
    func initialise(
        _ configuration: SDKConfiguration, jump: @Sendable (SDKStart) -> Void
    ) throws(SDKManagerApiError)

    /// Returns the items of the "more" menu that all pages share, in display order. Pages of modules that are not in
    /// this app are omitted.
    func moreMenu() -> [SDKMenuItem]
}
