/// ModuleC's interface for other modules.
///
/// All methods are thread-safe.
public protocol ModuleCApiProtocol: Sendable {
    /// Returns a one-line description of the implementation.
    func descriptionC() -> String

    /// Asks ModuleA and ModuleB for their descriptions.
    ///
    /// - Returns: The two descriptions in this order, with nil for a module that is not in this app.
    func askOthers() -> [String?]
}
