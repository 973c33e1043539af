import ApiCenter
import Menu
import MenuApi
import Prices
import Testing

@Suite("Menu")
struct MenuTests {
    @Test("Tea costs 2 EUR")
    func tea() throws {
        let center = ApiCenter()
        MenuModule().register(in: center)
        let menu = try center.requireApi(type: MenuApiProtocol.self)
        #expect(menu.text() == "Tea: 2 EUR")
        #expect(menu.drinks() == [Drink(name: "Tea", price: 2)])
    }
}
