import Foundation
import Testing

@testable import APIEvents
@testable import APIService
@testable import APITransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The defaults of settings")
struct DefaultsTests {
    @Test("A service has a time limit and a limit for responses, and accepts each success status")
    func service() {
        let settings = APISettings()
        #expect(settings.timeout == .seconds(60) && settings.responseLimit == 64 * 1_024 * 1_024)
        #expect(APIStatusCodes.successes == Set(200...299))
    }

    @Test("A retry policy waits from a fifth of a second to 20 seconds, and repeats no POST")
    func retry() {
        let policy = APIRetryPolicy(maximumAttempts: 3)
        #expect(policy.baseDelay == .milliseconds(200) && policy.maximumDelay == .seconds(20))
        #expect(policy.maximumAttempts == 3 && !policy.repeatsNonIdempotent)
    }

    @Test("An event source does not reconnect, and bounds its events")
    func events() {
        let source = APIEventSource()
        #expect(source.maximumReconnections == 0)
        #expect(source.bufferLimit == 1_000 && source.eventLimit == 1_024 * 1_024)
        #expect(source.delay == .seconds(3) && source.maximumDelay == .seconds(60))
        #expect(source.minimumDelay == .milliseconds(500))
    }

    @Test(
        "A client has six connections to a host, as many as it needs for event streams, and follows ten redirects"
    )
    func client() throws {
        let client = URLSessionAPIClient()
        var request = URLRequest(url: try #require(URL(string: "https://a.example/")))
        #expect(client.session(for: request).configuration.httpMaximumConnectionsPerHost == 6)
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        #expect(client.session(for: request).configuration.httpMaximumConnectionsPerHost > 1_000)
        #expect(RedirectPolicy().limit == 10)
    }
}
