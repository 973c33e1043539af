import ApiCenter
import Lifecycle

protocol GreetingApiProtocol: Sendable {
    func hello(to name: String) -> String
}

private struct Greeting: GreetingApiProtocol {
    func hello(to name: String) -> String { "Hello, \(name)." }
}

/// A cache that the module clears on a memory warning and can fill again later.
actor Cache {
    private(set) var isEmpty = false
    func clear() { isEmpty = true }
}

/// Registers Greeting. The package's only public declaration.
struct GreetingModule: Module {
    let version = "1.0.0"
    let after = ["Logger"]

    func register(in center: ApiCenter) throws {
        center.register(GreetingApiProtocol.self) { Greeting() }
    }

    func offers(in center: ApiCenter) -> [Offer] {
        [
            .action("greeting", "hello", from: .outside) { [unowned center] parameters in
                try center.requireApi(type: GreetingApiProtocol.self)
                    .hello(to: parameters["name"] as? String ?? "you")
            }
        ]
    }

    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        if event == .memoryWarning { await cache.clear() }
    }

    let cache: Cache
}
