import ApiCenter
import ModuleAApi
import ModuleBApi
import ModuleC
import ModuleCApi
import Testing

/// The other modules, as far as ModuleC asks them.
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

    @Test("says who it is")
    func description() throws {
        #expect(try center.requireApi(type: ModuleCApiProtocol.self).descriptionC() == "I am ModuleC.")
    }

    @Test("asks the others through their Apis alone")
    func asksOthers() throws {
        center.registerApi(type: ModuleAApiProtocol.self) { Others() }
        center.registerApi(type: ModuleBApiProtocol.self) { Others() }
        let answers = try center.requireApi(type: ModuleCApiProtocol.self).askOthers()
        #expect(answers == ["fake A", "fake B"])
    }

    @Test("goes on without a module that is not in the app")
    func survivesAbsence() throws {
        center.registerApi(type: ModuleBApiProtocol.self) { Others() }
        let answers = try center.requireApi(type: ModuleCApiProtocol.self).askOthers()
        #expect(answers == [nil, "fake B"])
    }
}
