import APIService
import APIServiceTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLSession", .serialized)
struct URLSessionTests {
    @Test("conforms to the contract of a client", arguments: APIClientConformance.checks)
    func conforms(check: APIClientConformance.Check) async throws {
        try await check.run(URLSessionAPIClient())
    }
}
