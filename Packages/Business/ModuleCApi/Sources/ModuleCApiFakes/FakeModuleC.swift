import ModuleCApi

/// ModuleC for the tests of other modules: it describes itself as "fake C", and asks nobody.
public struct FakeModuleC: ModuleCApiProtocol {
    /// Creates a ModuleC.
    public init() {}

    public func descriptionC() -> String { "fake C" }

    public func askOthers() -> [String?] { [] }
}
