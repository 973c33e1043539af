import ApiCenter
import PayTypeApi
import PayTypeCashless
import Testing

@Suite("PayTypeCashless")
struct PayTypeCashlessTests {
    let center = ApiCenter()

    init() {
        PayTypeCashlessModule().register(in: center)
    }

    @Test("answers in PayType's place")
    func answers() throws {
        let api = try center.requireApi(type: PayTypeApiProtocol.self)
        #expect(api.introduction() == "I am PayTypeCashless.")
    }
}
