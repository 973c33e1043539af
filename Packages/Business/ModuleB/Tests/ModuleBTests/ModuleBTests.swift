import ApiCenter
import ModuleAApi
import ModuleAApiFakes
import ModuleB
import ModuleBApi
import ModuleCApi
import ModuleCApiFakes
import Testing

@Suite("ModuleB")
struct ModuleBTests {
    let center = ApiCenter()

    init() {
        ModuleBModule().register(in: center)
    }

    @Test("ModuleB returns its description")
    func description() throws {
        #expect(try center.requireApi(type: ModuleBApiProtocol.self).descriptionB() == "I am ModuleB.")
    }

    @Test("ModuleB calls the other modules through their Apis")
    func asksOthers() throws {
        center.register(ModuleAApiProtocol.self) { FakeModuleA() }
        center.register(ModuleCApiProtocol.self) { FakeModuleC() }
        let answers = try center.requireApi(type: ModuleBApiProtocol.self).askOthers()
        #expect(answers == ["fake A", "fake C"])
    }

    @Test("ModuleB returns nil instead of the description of a module that is not in the app")
    func survivesAbsence() throws {
        center.register(ModuleCApiProtocol.self) { FakeModuleC() }
        let answers = try center.requireApi(type: ModuleBApiProtocol.self).askOthers()
        #expect(answers == [nil, "fake C"])
    }
}
