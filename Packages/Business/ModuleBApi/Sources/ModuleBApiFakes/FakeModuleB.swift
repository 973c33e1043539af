import ModuleBApi

/// ModuleB for the tests of other modules: it describes itself as "fake B", and asks nobody.
public struct FakeModuleB: ModuleBApiProtocol {
    /// Creates a ModuleB.
    public init() {}

    public func descriptionB() -> String { "fake B" }

    public func askOthers() -> [String?] { [] }
}
