/// ModuleA's interface for other modules.
///
/// All methods are thread-safe.
public protocol ModuleAApiProtocol: Sendable {
    /// Returns a one-line description of the implementation.
    func descriptionA() -> String

    /// Asks ModuleB and ModuleC for their descriptions.
    ///
    /// - Returns: The two descriptions in this order, with nil for a module that is not in this app.
    func askOthers() -> [String?]
}
