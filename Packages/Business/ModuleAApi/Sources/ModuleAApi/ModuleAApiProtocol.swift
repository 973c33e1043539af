/// What other modules may ask of ModuleA.
///
/// Every call is safe from any task.
public protocol ModuleAApiProtocol: Sendable {
    /// Who answers, in one line.
    func descriptionA() -> String

    /// Asks ModuleB and ModuleC, in this order, who they are.
    ///
    /// - Returns: Their answers; nil for a module that is not in this app.
    func askOthers() -> [String?]
}
