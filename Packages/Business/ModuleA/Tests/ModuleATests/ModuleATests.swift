import ApiCenter
import Links
import ModuleA
import ModuleAApi
import ModuleBApi
import ModuleCApi
import Testing

/// Fakes of the other modules, with the methods that ModuleA calls.
private struct Others: ModuleBApiProtocol, ModuleCApiProtocol {
    func descriptionB() -> String { "fake B" }
    func descriptionC() -> String { "fake C" }
    func askOthers() -> [String?] { [] }
}

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
        center.register(ModuleBApiProtocol.self) { Others() }
        center.register(ModuleCApiProtocol.self) { Others() }
        let answers = try center.requireApi(type: ModuleAApiProtocol.self).askOthers()
        #expect(answers == ["fake B", "fake C"])
    }

    @Test("ModuleA returns nil instead of the description of a module that is not in the app")
    func survivesAbsence() throws {
        center.register(ModuleCApiProtocol.self) { Others() }
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
