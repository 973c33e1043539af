import ApiCenter
import ModuleA
import ModuleAApi
import Testing

@Suite("ModuleA")
struct ModuleATests {
    @Test("says who it is")
    func description() throws {
        let center = ApiCenter()
        ModuleAModule().register(in: center)
        #expect(try center.requireApi(type: ModuleAApiProtocol.self).descriptionA() == "I am ModuleA.")
    }
}
