import APIEvents
import APIService
import APIServiceTesting
import APITransport
import Foundation
import TestSupport
import Testing

@Suite(
    "An event stream whose connection closes before a response", .timeLimit(.minutes(10)), .waitLimit)
struct EventResendTests {
    private struct Closed: Error {}

    @Test("The request is sent again twice at once, and after each response again twice")
    func resends() async throws {
        let closed = StubAPIClient.Answer.failure(
            .broken(APIClosedConnection(isUnprocessed: false, underlying: Closed())))
        func event(_ text: String) -> StubAPIClient.Answer {
            .text("data: \(text)\n\n", headers: ["Content-Type": "text/event-stream"])
        }
        let answers = Shared([
            closed, closed, event("a"), closed, closed, event("b"), closed, closed, closed, closed,
        ])
        let client = StubAPIClient { _ in
            var answer = closed
            answers.update { if !$0.isEmpty { answer = $0.removeFirst() } }
            return answer
        }
        let service = APIService(client: client, config: testSettings { $0.clock = VirtualClock() })
        let source = APIEventSource(maximumReconnections: 1, delay: .zero, minimumDelay: .zero)
        var data: [String] = []
        let error = await #expect(throws: APIError.self) {
            for try await event in service.events(of: TestRequest(APIEmpty.self), source: source) {
                data.append(event.data)
            }
        }
        #expect(data == ["a", "b"])
        guard case .connectionError(is APIClosedConnection, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        // Two responses, each after two requests that were lost, and three lost requests at the end.
        #expect(client.requests.count == 9)
    }
}
