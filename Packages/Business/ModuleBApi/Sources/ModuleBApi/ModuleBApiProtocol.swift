/// What other modules may ask of ModuleB.
///
/// Every call is safe from any task.
public protocol ModuleBApiProtocol: Sendable {
    /// Who answers, in one line.
    func descriptionB() -> String

    /// Asks ModuleA and ModuleC, in this order, who they are.
    ///
    /// - Returns: Their answers; nil for a module that is not in this app.
    func askOthers() -> [String?]
}
