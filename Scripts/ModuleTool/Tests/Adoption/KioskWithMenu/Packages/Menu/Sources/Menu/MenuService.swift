import MenuApi
import Prices

/// Menu's IMP: one object, shared by all callers.
final class MenuService: MenuApiProtocol {
    func text() -> String { "Tea: \(price(of: "Tea")) EUR" }
}
