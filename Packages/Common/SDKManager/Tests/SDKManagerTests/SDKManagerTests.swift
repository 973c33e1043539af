import ApiCenter
import SDKManager
import SDKManagerApi
import Testing

@Suite("SDKManager")
struct SDKManagerTests {
    let center = ApiCenter()

    init() {
        SDKManagerModule().register(in: center)
    }

    @Test("says who it is")
    func introduction() throws {
        let api = try center.requireApi(type: SDKManagerApiProtocol.self)
        #expect(api.introduction() == "I am SDKManager.")
    }
}
