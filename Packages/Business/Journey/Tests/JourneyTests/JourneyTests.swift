import ApiCenter
import Journey
import JourneyApi
import Testing

@Suite("Journey")
struct JourneyTests {
    let center = ApiCenter()

    init() {
        JourneyModule().register(in: center)
    }

    @Test("says who it is")
    func introduction() throws {
        let api = try center.requireApi(type: JourneyApiProtocol.self)
        #expect(api.introduction() == "I am Journey.")
    }
}
