import ApiCenter
import Testing
import WebContainer
import WebContainerApi

@Suite("WebContainer")
struct WebContainerTests {
    let center = ApiCenter()

    init() {
        WebContainerModule().register(in: center)
    }

    @Test("says who it is")
    func introduction() throws {
        let api = try center.requireApi(type: WebContainerApiProtocol.self)
        #expect(api.introduction() == "I am WebContainer.")
    }
}
