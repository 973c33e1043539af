import ApiCenter
import Links
import ModuleA
import ModuleAApi
import ModuleBApi
import ModuleBApiFakes
import ModuleCApi
import ModuleCApiFakes
import Testing

@Suite("ModuleA")
struct ModuleATests {
    let center = ApiCenter()

    init() {
        ModuleAModule().register(in: center)
    }

    @Test("ModuleA returns its description")
    func description() throws {
        #expect(try center.requireApi(type: ModuleAApiProtocol.self).descriptionA() == "I am ModuleA.")
    }

    @Test("ModuleA calls the other modules through their Apis")
    func asksOthers() throws {
        center.register(ModuleBApiProtocol.self) { FakeModuleB() }
        center.register(ModuleCApiProtocol.self) { FakeModuleC() }
        let answers = try center.requireApi(type: ModuleAApiProtocol.self).askOthers()
        #expect(answers == ["fake B", "fake C"])
    }

    @Test("ModuleA returns nil instead of the description of a module that is not in the app")
    func survivesAbsence() throws {
        center.register(ModuleCApiProtocol.self) { FakeModuleC() }
        let answers = try center.requireApi(type: ModuleAApiProtocol.self).askOthers()
        #expect(answers == [nil, "fake C"])
    }

    @Test("ModuleA's route returns its description and may be called from outside the app")
    func route() throws {
        let describe = try #require(ModuleAModule().links(in: center).first(.route(ModuleARoute.describe)))
        #expect(try describe.call() as? String == "I am ModuleA.")
        #expect(describe.callers == .outside)
    }
}
