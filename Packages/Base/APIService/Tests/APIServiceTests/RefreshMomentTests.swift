import APIService
import APIServiceTesting
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A token refresh looks at the attempt that was rejected", .timeLimit(.minutes(10)), .waitLimit)
struct RefreshMomentTests {
    private let token = Recorded("old")
    private let refreshes = Recorded(0)
    private let isUnderWay = Door()
    private let go = Door()

    /// A service whose server accepts the token "new". The first attempt for `/late` is busy once ``go`` opens.
    private func service(
        _ refresh: @escaping @Sendable (_ number: Int) async throws -> String?
    ) -> (APIService, StubAPIClient) {
        let (isUnderWay, go, attempts) = (isUnderWay, go, Recorded(0))
        let client = StubAPIClient { request in
            if request.url?.path == "/late", attempts.next() == 1 {
                isUnderWay.open()
                await go.pass()
                return .text("", statusCode: 503)
            }
            return request.value(forHTTPHeaderField: "Authorization") == "new"
                ? .text("ok") : .text("", statusCode: 401)
        }
        let (token, refreshes) = (token, refreshes)
        let config = testSettings {
            $0.timeout = nil
            $0.retry = APIRetryPolicy(maximumAttempts: 2, baseDelay: .zero)
            $0.accessories = [APITokenAccessory(user: { "ann" }, scheme: "", token: { token.value })]
            $0.tokenRefresh = APITokenRefresh(timeout: nil) { _ in
                try await refresh(refreshes.next())
            } store: { new, _ in
                token.update { $0 = new }
            }
        }
        return (APIService(client: client, config: config), client)
    }

    @Test("An attempt that is sent after a failed refresh starts another one, and does not get the old error")
    func afterFailure() async {
        let (service, _) = service { number in
            if number == 1 { throw Failure("unreachable") }
            return "new"
        }
        async let late = service.response(to: TestRequest(Text.self) { $0.path = "/late" })
        await isUnderWay.pass()
        let other = await service.response(to: TestRequest(Text.self))
        #expect(other.result.error == .refreshFailed(Failure("unreachable")))
        go.open()
        #expect(await late.result.value == Text("ok"))
        #expect(refreshes.value == 2)
    }

    @Test("An attempt that is sent with a renewed token, which is rejected, refreshes the token")
    func afterRenewal() async {
        let (service, client) = service { $0 == 1 ? "revoked" : "new" }
        async let late = service.response(to: TestRequest(Text.self) { $0.path = "/late" })
        await isUnderWay.pass()
        #expect(await service.response(to: TestRequest(Text.self)).response?.statusCode == 401)
        go.open()
        #expect(await late.result.value == Text("ok"))
        #expect(refreshes.value == 2)
        #expect(
            client.requests.filter { $0.url?.path == "/late" }.map {
                $0.value(forHTTPHeaderField: "Authorization")
            } == ["old", "revoked", "new"])
    }
}
