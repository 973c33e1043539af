import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APIService

@Suite("The explanation of a response", .timeLimit(.minutes(10)), .waitLimit)
struct ExplanationTests {
    @Test("It lists the steps in order, each with what happened")
    func steps() async {
        let answers = Recorded<[StubAPIClient.Answer]>([
            .failure(.broken(Failure("cut"))), .text("", statusCode: 503), .text("ok"),
        ])
        let service = APIService(
            client: StubAPIClient { _ in answers.update { $0.removeFirst() } },
            config: testSettings {
                $0.accessories = [APIHeaderAccessory(["X-App": "1"])]
                $0.retry = APIRetryPolicy(maximumAttempts: 3, baseDelay: .zero)
            })
        let response = await service.response(
            to: TestRequest(Text.self), plugins: [NotingPlugin(notes: Recorded([]))])
        #expect(
            response.explanation.steps.map { "\($0.stage): \($0.note)" } == [
                "parameters: ", "encoding: ", "requestInterceptor: ", "prepare: NotingPlugin", "willSend: ",
                "accessories: APIHeaderAccessory", "transport: ",
                "statusCheck: the connection to http://test.example/thing failed: cut", "backoff: 0.0 ms",
                "accessories: APIHeaderAccessory", "transport: ", "statusCheck: 503", "backoff: 0.0 ms",
                "accessories: APIHeaderAccessory", "transport: ", "statusCheck: 200", "parse: ",
                "willReceive: ", "responseInterceptor: ", "delivery: ", "didReceive: ",
            ])
    }

    @Test("Its text has one line for each step, with the milliseconds since the start")
    func description() {
        let explanation = APIExplanation(steps: [
            .init(stage: .cacheRead, time: .microseconds(400), note: "miss"),
            .init(stage: .transport, time: .microseconds(1_500), note: ""),
            .init(stage: .statusCheck, time: .milliseconds(31), note: "503"),
            .init(stage: .transport, time: .milliseconds(181), note: ""),
            .init(stage: .delivery, time: .milliseconds(1_234_567), note: ""),
        ])
        #expect(
            explanation.description == """
                    0 ms  cache read: miss
                    2 ms  transport
                   31 ms  status check: 503
                  181 ms  transport
                1234567 ms  delivery
                """)
        #expect(explanation.attempts == 2)
        #expect(explanation.duration == .milliseconds(1_234_567))
        #expect(explanation.duration(of: .transport) == .microseconds(1_234_567_000 - 181_000 + 29_500))
        #expect(explanation.duration(of: .delivery) == .zero)
        #expect(APIExplanation().duration == .zero)
    }
}
