import ApiCenter
import ModuleAApi
import ModuleAApiFakes
import ModuleBApi
import ModuleBApiFakes
import ModuleC
import ModuleCApi
import Testing

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
        center.register(ModuleAApiProtocol.self) { FakeModuleA() }
        center.register(ModuleBApiProtocol.self) { FakeModuleB() }
        let answers = try center.requireApi(type: ModuleCApiProtocol.self).askOthers()
        #expect(answers == ["fake A", "fake B"])
    }

    @Test("ModuleC returns nil instead of the description of a module that is not in the app")
    func survivesAbsence() throws {
        center.register(ModuleBApiProtocol.self) { FakeModuleB() }
        let answers = try center.requireApi(type: ModuleCApiProtocol.self).askOthers()
        #expect(answers == [nil, "fake B"])
    }
}
