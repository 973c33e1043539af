/// What other modules may ask of ModuleA.
///
/// Every call is safe from any task.
public protocol ModuleAApiProtocol: Sendable {
    /// Who answers, in one line.
    func descriptionA() -> String
}
