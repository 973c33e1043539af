import ApiCenter
import ModuleAApi
import ModuleBApi
import ModuleC
import ModuleCApi
import Testing

/// Fakes of the other modules, with the methods that ModuleC calls.
private struct Others: ModuleAApiProtocol, ModuleBApiProtocol {
    func descriptionA() -> String { "fake A" }
    func descriptionB() -> String { "fake B" }
    func askOthers() -> [String?] { [] }
}

@Suite("ModuleC")
struct ModuleCTests {
    let center = ApiCenter()

    init() {
        ModuleCModule().register(in: center)
    }

    @Test("ModuleC returns its description")
    func description() throws {
        #expect(try center.requireApi(type: ModuleCApiProtocol.self).descriptionC() == "I am ModuleC.")
    }

    @Test("ModuleC calls the other modules through their Apis")
    func asksOthers() throws {
        center.register(ModuleAApiProtocol.self) { Others() }
        center.register(ModuleBApiProtocol.self) { Others() }
        let answers = try center.requireApi(type: ModuleCApiProtocol.self).askOthers()
        #expect(answers == ["fake A", "fake B"])
    }

    @Test("ModuleC returns nil instead of the description of a module that is not in the app")
    func survivesAbsence() throws {
        center.register(ModuleBApiProtocol.self) { Others() }
        let answers = try center.requireApi(type: ModuleCApiProtocol.self).askOthers()
        #expect(answers == [nil, "fake B"])
    }
}
