import ApiCenter
import ModuleAApi
import ModuleB
import ModuleBApi
import ModuleCApi
import Testing

/// The other modules, as far as ModuleB asks them.
private struct Others: ModuleAApiProtocol, ModuleCApiProtocol {
    func descriptionA() -> String { "fake A" }
    func descriptionC() -> String { "fake C" }
    func askOthers() -> [String?] { [] }
}

@Suite("ModuleB")
struct ModuleBTests {
    let center = ApiCenter()

    init() {
        ModuleBModule().register(in: center)
    }

    @Test("says who it is")
    func description() throws {
        #expect(try center.requireApi(type: ModuleBApiProtocol.self).descriptionB() == "I am ModuleB.")
    }

    @Test("asks the others through their Apis alone")
    func asksOthers() throws {
        center.registerApi(type: ModuleAApiProtocol.self) { Others() }
        center.registerApi(type: ModuleCApiProtocol.self) { Others() }
        let answers = try center.requireApi(type: ModuleBApiProtocol.self).askOthers()
        #expect(answers == ["fake A", "fake C"])
    }

    @Test("goes on without a module that is not in the app")
    func survivesAbsence() throws {
        center.registerApi(type: ModuleCApiProtocol.self) { Others() }
        let answers = try center.requireApi(type: ModuleBApiProtocol.self).askOthers()
        #expect(answers == [nil, "fake C"])
    }
}
