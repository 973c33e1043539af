public func price(of drink: String) -> Int { drink == "Tea" ? 2 : 3 }
