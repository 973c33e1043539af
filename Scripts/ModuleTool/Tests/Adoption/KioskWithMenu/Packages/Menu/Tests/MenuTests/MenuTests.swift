import ApiCenter
import Menu
import MenuApi
import Testing

@Suite("Menu")
struct MenuTests {
    @Test("Tea costs 2 EUR")
    func tea() throws {
        let center = ApiCenter()
        MenuModule().register(in: center)
        #expect(try center.requireApi(type: MenuApiProtocol.self).text() == "Tea: 2 EUR")
    }
}
