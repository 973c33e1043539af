import ApiCenter
import ApiCenterTesting
import Testing

protocol UserNameApiProtocol: Sendable {
    var name: String { get }
}

struct FakeUserName: UserNameApiProtocol {
    let name: String
}

/// The tested code, which uses the shared center.
func greeting() -> String {
    "Hello, \(ApiCenter.shared.api(type: UserNameApiProtocol.self)?.name ?? "stranger")."
}

@Suite(.apis { $0.register(UserNameApiProtocol.self) { FakeUserName(name: "Ann") } })
struct GreetingTests {
    @Test func greetsTheUser() { #expect(greeting() == "Hello, Ann.") }

    @Test(.apis { $0.removeApi(api: UserNameApiProtocol.self) })
    func greetsAStranger() { #expect(greeting() == "Hello, stranger.") }
}
