import ModuleAApi

/// ModuleA for the tests of other modules: it describes itself as "fake A", and asks nobody.
public struct FakeModuleA: ModuleAApiProtocol {
    /// Creates a ModuleA.
    public init() {}

    public func descriptionA() -> String { "fake A" }

    public func askOthers() -> [String?] { [] }
}
