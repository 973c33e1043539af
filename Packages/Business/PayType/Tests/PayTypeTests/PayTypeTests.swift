import ApiCenter
import PayType
import PayTypeApi
import Testing

@Suite("PayType")
struct PayTypeTests {
    let center = ApiCenter()

    init() {
        PayTypeModule().register(in: center)
    }

    @Test("says who it is")
    func introduction() throws {
        let api = try center.requireApi(type: PayTypeApiProtocol.self)
        #expect(api.introduction() == "I am PayType.")
    }
}
