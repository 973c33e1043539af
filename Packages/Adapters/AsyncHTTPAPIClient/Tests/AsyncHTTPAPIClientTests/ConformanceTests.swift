import APIServiceTesting
import AsyncHTTPAPIClient
import Testing

@Suite("AsyncHTTPAPIClient", .serialized)
struct ConformanceTests {
    @Test("conforms to the contract of a client", arguments: APIClientConformance.checks)
    func conforms(check: APIClientConformance.Check) async throws {
        try await check.run(AsyncHTTPAPIClient())
    }
}
