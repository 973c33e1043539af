import ApiCenter
import Links

protocol GreetingApiProtocol: Sendable {
    func hello(to name: String) -> String
}

struct Greeting: GreetingApiProtocol {
    func hello(to name: String) -> String { "Hello, \(name)." }
}

/// The links of Greeting. In a pair, the module's type conforms to `Module` and to `LinkAnswering`.
struct GreetingLinks: LinkAnswering {
    func links(in center: ApiCenter) -> [Link] {
        [
            .action("greeting", "hello", from: .outside) { [weak center] parameters in
                try center?.requireApi(type: GreetingApiProtocol.self)
                    .hello(to: parameters.param("name", "you"))
            }
        ]
    }
}

func journeys(_ parameters: Parameters) throws -> [String] {
    let limit = parameters.param("limit", 10)  // 20 for ?limit=20; 10 for ?limit=many
    let tags = parameters.param("tag", [String]())  // ["a", "b"] for ?tag=a&tag=b
    let city = try parameters.required("city", as: String.self)  // throws: parameter "city" is missing
    return tags.map { "\(limit) journeys in \(city), \($0)" }
}
