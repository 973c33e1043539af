import APICache
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

    @Test("It says what the cache found, and what it stored")
    func cache() async throws {
        let folder = try TemporaryFolder(), time = Shared(Date())
        let answers = Recorded<[StubAPIClient.Answer]>([
            .text("a", headers: ["ETag": "\"1\""]), .text("", statusCode: 304, headers: ["ETag": "\"1\""]),
            .text("", statusCode: 503), .text("b", headers: ["Cache-Control": "no-store"]),
        ])
        let service = APIService(
            client: StubAPIClient { _ in answers.update { $0.removeFirst() } },
            config: testSettings(folder) { $0.now = { time.value } })
        var policy = APICache()
        (policy.readMode, policy.writeMode) = (.cancelNetwork, .memory)
        (policy.expiry, policy.staleIfError) = (.seconds(10), .seconds(60))
        let request = TestRequest(Text.self) { [policy] in $0.cache = policy }
        func notes(after seconds: TimeInterval) async -> [String] {
            time.update { $0 += seconds }
            let steps = await service.response(to: request).explanation.steps
            return steps.filter { [.cacheRead, .parse, .cacheWrite].contains($0.stage) }.map {
                "\($0.stage): \($0.note)"
            }
        }
        #expect(await notes(after: 0) == ["cacheRead: miss", "parse: ", "cacheWrite: memory"])
        #expect(await notes(after: 9) == ["cacheRead: hit"])
        #expect(
            await notes(after: 9) == [
                "cacheRead: expired", "parse: 304, the cached response is still valid",
                "cacheWrite: memory",
            ])
        #expect(
            await notes(after: 30) == [
                "cacheRead: expired", "parse: stale, because the server answered 503",
            ])
        #expect(await notes(after: 0) == ["cacheRead: expired", "parse: ", "cacheWrite: not storable"])
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
