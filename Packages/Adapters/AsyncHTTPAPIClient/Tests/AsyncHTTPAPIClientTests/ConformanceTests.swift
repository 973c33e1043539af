import APIService
import APIServiceTesting
import AsyncHTTPAPIClient
import Foundation
import Testing

@Suite("AsyncHTTPAPIClient", .serialized)
struct ConformanceTests {
    @Test("conforms to the contract of a client", arguments: APIClientConformance.checks)
    func conforms(check: APIClientConformance.Check) async throws {
        try await check.run(AsyncHTTPAPIClient())
    }

    struct EchoRequest: APIRequest {
        typealias Response = Data
        let baseURL: URL
        var path: String { "/echo" }
    }

    @Test("a service may be dropped while it sends: the client is shut down when the last exchange has ended")
    func dropped() async throws {
        let server = try LoopbackServer.faulty()
        for _ in 0..<20 {
            let response: APIResponse<Data> = await withCheckedContinuation { waiter in
                let service = APIService(client: AsyncHTTPAPIClient(), config: APIConfig())
                service.sendRequest(EchoRequest(baseURL: server.url(""))) { waiter.resume(returning: $0) }
            }
            #expect(response.response?.statusCode == 200)
        }
    }

    @Test("the README's example stands here")
    func readme() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let own = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        let parts = text.components(
            separatedBy: "<!-- from Tests/AsyncHTTPAPIClientTests/ConformanceTests.swift -->\n```swift\n")
        #expect(parts.count == 2)
        #expect(text.components(separatedBy: "```swift").count == parts.count)
        for part in parts.dropFirst() {
            #expect(own.contains(part.components(separatedBy: "\n```")[0]))
        }
    }
}
