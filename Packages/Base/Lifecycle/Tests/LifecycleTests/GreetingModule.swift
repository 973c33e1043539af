import ApiCenter
import Lifecycle

protocol GreetingApiProtocol: Sendable {
    func hello(to name: String) -> String
}

private struct Greeting: GreetingApiProtocol {
    func hello(to name: String) -> String { "Hello, \(name)." }
}

/// A cache that the module opens before the first event, clears on a memory warning and can fill again later.
actor Cache {
    private(set) var isOpen = false
    private(set) var isEmpty = false
    func open() { isOpen = true }
    func clear() { isEmpty = true }
}

/// Registers Greeting. The package's only public declaration.
struct GreetingModule: Module {
    let version = "1.0.0"
    let after = ["Logger"]

    func register(in center: ApiCenter) throws {
        center.register(GreetingApiProtocol.self) { Greeting() }
    }

    func prepare(in center: ApiCenter) async throws {
        await cache.open()
    }

    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        if event == .memoryWarning { await cache.clear() }
    }

    let cache: Cache
}
