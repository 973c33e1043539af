import ApiCenter
import ModuleA
import ModuleAApi
import ModuleBApi
import ModuleCApi
import Testing

/// The other modules, as far as ModuleA asks them.
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

    @Test("says who it is")
    func description() throws {
        #expect(try center.requireApi(type: ModuleAApiProtocol.self).descriptionA() == "I am ModuleA.")
    }

    @Test("asks the others through their Apis alone")
    func asksOthers() throws {
        center.registerApi(type: ModuleBApiProtocol.self) { Others() }
        center.registerApi(type: ModuleCApiProtocol.self) { Others() }
        let answers = try center.requireApi(type: ModuleAApiProtocol.self).askOthers()
        #expect(answers == ["fake B", "fake C"])
    }

    @Test("goes on without a module that is not in the app")
    func survivesAbsence() throws {
        center.registerApi(type: ModuleCApiProtocol.self) { Others() }
        let answers = try center.requireApi(type: ModuleAApiProtocol.self).askOthers()
        #expect(answers == [nil, "fake C"])
    }

    @Test("answers its route, to calls from outside too")
    func route() throws {
        let describe = try #require(ModuleAModule().routes(in: center)[ModuleARoute.describe])
        #expect(try describe([:]) as? String == "I am ModuleA.")
        #expect(ModuleAModule().remoteRoutes == [ModuleARoute.describe])
    }
}
