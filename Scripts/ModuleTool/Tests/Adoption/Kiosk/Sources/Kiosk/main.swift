import Prices

struct Menu {
    func text() -> String { "Tea: \(price(of: "Tea")) EUR" }
}

print(Menu().text())
