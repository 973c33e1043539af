import ApiCenter
import Logger
import LoggerApi
import Testing

@Suite("Logger")
struct LoggerTests {
    let center = ApiCenter()

    init() {
        LoggerModule().register(in: center)
    }

    @Test("says who it is")
    func introduction() throws {
        let api = try center.requireApi(type: LoggerApiProtocol.self)
        #expect(api.introduction() == "I am Logger.")
    }
}
