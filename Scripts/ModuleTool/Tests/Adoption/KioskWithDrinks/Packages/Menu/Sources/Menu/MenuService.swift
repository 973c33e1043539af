import MenuApi
import Prices

/// Menu's IMP: one object, shared by all callers.
final class MenuService: MenuApiProtocol {
    func text() -> String { drinks().map { "\($0.name): \($0.price) EUR" }.joined(separator: "\n") }

    func drinks() -> [Drink] { [Drink(name: "Tea", price: price(of: "Tea"))] }
}
