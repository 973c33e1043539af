/// What other modules may ask of ModuleC.
///
/// Every call is safe from any task.
public protocol ModuleCApiProtocol: Sendable {
    /// Who answers, in one line.
    func descriptionC() -> String

    /// Asks ModuleA and ModuleB, in this order, who they are.
    ///
    /// - Returns: Their answers; nil for a module that is not in this app.
    func askOthers() -> [String?]
}
