import ApiCenter
import ModuleAApi
import ModuleB
import ModuleBApi
import ModuleCApi
import Testing

/// Fakes of the other modules, with the methods that ModuleB calls.
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

    @Test("ModuleB returns its description")
    func description() throws {
        #expect(try center.requireApi(type: ModuleBApiProtocol.self).descriptionB() == "I am ModuleB.")
    }

    @Test("ModuleB calls the other modules through their Apis")
    func asksOthers() throws {
        center.register(ModuleAApiProtocol.self) { Others() }
        center.register(ModuleCApiProtocol.self) { Others() }
        let answers = try center.requireApi(type: ModuleBApiProtocol.self).askOthers()
        #expect(answers == ["fake A", "fake C"])
    }

    @Test("ModuleB returns nil instead of the description of a module that is not in the app")
    func survivesAbsence() throws {
        center.register(ModuleCApiProtocol.self) { Others() }
        let answers = try center.requireApi(type: ModuleBApiProtocol.self).askOthers()
        #expect(answers == [nil, "fake C"])
    }
}
