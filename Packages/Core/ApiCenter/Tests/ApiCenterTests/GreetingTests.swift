import ApiCenter
import ApiCenterTesting
import Testing

/// The tested code, which uses the shared center.
func greeting() -> String { "Hello, \(ApiCenter.shared.api(type: String.self) ?? "stranger")." }

@Suite(.apis { $0.register(String.self) { "Ann" } })
struct GreetingTests {
    @Test func greetsTheUser() { #expect(greeting() == "Hello, Ann.") }

    @Test(.apis { $0.removeApi(api: String.self) })
    func greetsAStranger() { #expect(greeting() == "Hello, stranger.") }
}
