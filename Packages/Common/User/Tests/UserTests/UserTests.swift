import ApiCenter
import Testing
import User
import UserApi

@Suite("User")
struct UserTests {
    let center = ApiCenter()

    init() {
        UserModule().register(in: center)
    }

    @Test("says who it is")
    func introduction() throws {
        let api = try center.requireApi(type: UserApiProtocol.self)
        #expect(api.introduction() == "I am User.")
    }
}
