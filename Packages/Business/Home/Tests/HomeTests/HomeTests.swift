import ApiCenter
import Home
import HomeApi
import Testing

@Suite("Home")
struct HomeTests {
    let center = ApiCenter()

    init() {
        HomeModule().register(in: center)
    }

    @Test("says who it is")
    func introduction() throws {
        let api = try center.requireApi(type: HomeApiProtocol.self)
        #expect(api.introduction() == "I am Home.")
    }
}
