import ApiCenter
import Pages
import Testing
import UserApi

@testable import User

@Suite("The page on which a passenger logs in")
struct LogInPageTests {
    /// Logs in everybody, with the phone number as the name.
    private struct AnyUser: UserApiProtocol {
        var session: UserSession? { nil }
        func sessions() -> AsyncStream<UserSession?> { AsyncStream { $0.finish() } }
        func logIn(phone: String, password: String) async throws(UserApiError) -> UserSession {
            UserSession(id: "7", name: phone)
        }
        func logOut() async throws(UserApiError) {}
    }

    @Test(
        "A mobile number may contain separators and the country code +86",
        arguments: ["13800138000", "+8613800138000", "+86 138 0013-8000", "(138) 0013.8000"])
    func separators(typed: String) async throws {
        let center = ApiCenter()
        center.registerApi(type: UserApiProtocol.self) { AnyUser() }
        let tap = PageTap("logIn", fields: ["phone": typed, "password": "right"])
        let step = try await LogInPage(center: center).perform(tap)
        #expect("\(step)".contains("Welcome, 13800138000."), "\(step)")
    }
}
