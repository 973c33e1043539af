import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APIService
@testable import APITransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The time limit ends a test that waits for a delay which never begins, or never ends.
@Suite("Retries", .timeLimit(.minutes(10)), .waitLimit)
struct RetryTests {
    private let clock = VirtualClock()
    private let answers = Recorded<[StubAPIClient.Answer]>([])
    private let client: StubAPIClient

    init() {
        let answers = answers
        client = StubAPIClient { _ in
            answers.update { $0.count > 1 ? $0.removeFirst() : $0.first ?? .text("none") }
        }
    }

    private func service(_ policy: APIRetryPolicy, random: Double = 1, now: Date = Date()) -> APIService {
        let clock = clock
        return APIService(
            client: client,
            config: testSettings {
                $0.clock = clock
                $0.timeout = nil
                $0.retry = policy
                $0.random = { random }
                $0.now = { now }
            })
    }

    /// Sends a request, advances the clock past `count` delays, and returns the delays and the response.
    private func send(
        _ service: APIService, waits count: Int, _ change: (inout TestRequest<Text>) -> Void = { _ in }
    ) async -> ([Duration], APIResponse<Text>) {
        let request = TestRequest(Text.self, change)
        async let response = service.response(to: request)
        var waits: [Duration] = []
        for _ in 0..<count {
            await clock.waitForSleepers(1)
            waits += clock.sleeps
            // There is no sleep at the test's time limit.
            clock.advance(by: clock.sleeps.first ?? .zero)
        }
        return (waits, await response)
    }

    @Test("The delays between retries double up to the maximum, and plugins see a single send")
    func backoff() async {
        answers.update { $0 = (0..<4).map { _ in .text("", statusCode: 503) } + [.text("ok")] }
        let policy = APIRetryPolicy(
            maximumAttempts: 5, baseDelay: .seconds(1), maximumDelay: .seconds(3))
        let (waits, response) = await send(service(policy), waits: 4)
        #expect(waits == [.seconds(1), .seconds(2), .seconds(3), .seconds(3)])
        #expect(response.result.value == Text("ok"))
        #expect(response.explanation.attempts == 5)
        #expect(response.explanation.stages.count { $0 == .willSend } == 1)
        #expect(response.explanation.description.contains("backoff: 1000.0 ms"))
        #expect(response.explanation.duration(of: .backoff) == .seconds(9))
        #expect(response.explanation.duration >= .seconds(9))
    }

    @Test(
        "A closed connection counts as an attempt, unless the server has not processed the request",
        arguments: [true, false])
    func closed(isUnprocessed: Bool) async {
        let closed = APIClosedConnection(isUnprocessed: isUnprocessed, underlying: Failure("closed"))
        answers.update { $0 = [.failure(.broken(closed)), .text("", statusCode: 503), .text("ok")] }
        let (_, response) = await send(
            service(APIRetryPolicy(maximumAttempts: 2)), waits: isUnprocessed ? 1 : 0)
        #expect(response.response?.statusCode == (isUnprocessed ? 200 : 503))
        #expect(client.requests.count == (isUnprocessed ? 3 : 2))
    }

    @Test("After a closed connection, a request is sent again at most twice", arguments: [0, 1, 2, 3])
    func closedOften(times: Int) async {
        let closed = APIClosedConnection(isUnprocessed: true, underlying: Failure("closed"))
        answers.update { $0 = (0..<times).map { _ in .failure(.broken(closed)) } + [.text("ok")] }
        let (_, response) = await send(service(APIRetryPolicy(maximumAttempts: 1)), waits: 0)
        #expect(response.result.value == (times < 3 ? Text("ok") : nil))
        #expect(client.requests.count == min(times + 1, 3))
    }

    @Test("The number of attempts is limited, and the last response is delivered")
    func limit() async {
        answers.update {
            $0 = [.text("a", statusCode: 500), .text("b", statusCode: 500), .text("c", statusCode: 500)]
        }
        let (_, response) = await send(service(APIRetryPolicy(maximumAttempts: 3)), waits: 2)
        #expect(
            response.result.error
                == .responseError(.unacceptableStatus(.init(statusCode: 500, body: Data("c".utf8)))))
        #expect(client.requests.count == 3)
    }

    @Test(
        "Jitter leaves at least half of the delay, and adds up to a quarter to Retry-After",
        arguments: [0.0, 0.5, 1.0])
    func jitter(random: Double) async {
        answers.update {
            $0 = [
                .text("", statusCode: 503), .text("", statusCode: 429, headers: ["Retry-After": "7"]),
                .text("", statusCode: 429, headers: ["Retry-After": "1"]), .text("ok"),
            ]
        }
        let policy = APIRetryPolicy(maximumAttempts: 4, baseDelay: .seconds(2), maximumDelay: .seconds(60))
        let (waits, _) = await send(service(policy, random: random), waits: 3)
        #expect(
            waits == [.seconds(1 + random), .seconds(7) + .seconds(1.75) * random, .seconds(4 + 4 * random)])
    }

    @Test("Retry-After may be a date, and a Retry-After above two minutes ends the retries")
    func retryAfterDate() async {
        let now = Date(timeIntervalSince1970: 784_111_777)
        answers.update {
            $0 = [
                .text("", statusCode: 503, headers: ["Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT"]),
                .text("wait", statusCode: 503, headers: ["Retry-After": "121"]),
            ]
        }
        let (waits, response) = await send(service(APIRetryPolicy(maximumAttempts: 9), now: now), waits: 1)
        #expect(waits == [.seconds(12.5)])
        #expect(response.data == Data("wait".utf8))
    }

    @Test(
        "Retry-After is a number of seconds or a date, and everything else is ignored",
        arguments: [
            (nil, nil), ("", nil), ("5", .seconds(5)), (" 5 ", .seconds(5)), ("-5", nil), ("5.5", nil),
            ("soon", nil),
            ("99999999999999999999", .seconds(1 << 40)), ("Wed, 31 Dec 1969 23:59:59 GMT", .zero),
            ("Thu, 01 Jan 1970 00:00:09 GMT", .seconds(9)),
            ("Thursday, 01-Jan-70 00:00:09 GMT", .seconds(9)), ("Thu Jan  1 00:00:09 1970", .seconds(9)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", .seconds(784_111_777)),
            ("Sunday, 06-Nov-19 08:49:37 GMT", .seconds(1_573_030_177)),
            ("Sunday, 06-Nov-20 08:49:37 GMT", .zero), ("Sun Nov  6 08:49:37 94", .seconds(784_111_777)),
            ("Thu, 32 Jan 1970 00:00:09 GMT", nil),
            ("Thu, 01 Jan 1970 00:00:09", nil), ("Thu, 01 Jan 1970 00:00:09 UTC", nil),
            ("Thu 01 Jan 1970 00:00:09 GMT", nil), ("Thu, 00 Jan 1970 00:00:09 GMT", nil),
            ("Sat, 31 Jan 1970 00:00:00 GMT", .seconds(2_592_000)), ("Thu, 01 Foo 1970 00:00:09 GMT", nil),
            ("Thu, 01 Jan 1970 23:59:60 GMT", .seconds(86_400)), ("Thu, 01 Jan 1970 24:00:09 GMT", nil),
            ("Thu, 01 Jan 1970 00:60:09 GMT", nil), ("Thu, 01 Jan 1970 00:00:61 GMT", nil),
            ("Thu, 01 Jan 1970 00:09 GMT", nil), ("Thu, 01 Jan 1970 00:x:09 GMT", nil),
        ] as [(String?, Duration?)])
    func retryAfter(field: String?, expected: Duration?) {
        #expect(RetryAfter.duration(field, now: Date(timeIntervalSince1970: 0)) == expected)
    }

    @Test("Every date that Foundation formats as an HTTP date is parsed back to the same date")
    func dates() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        var random = SeededRandom(5)
        for _ in 0..<300 {
            let date = Date(
                timeIntervalSince1970: Double(Int.random(in: -3_000_000_000...60_000_000_000, using: &random))
            )
            #expect(HTTPDate.date(formatter.string(from: date), now: Date()) == date)
        }
    }

    @Test(
        "POST and PATCH are not retried unless the policy allows it",
        arguments: [APIRequestMethod.post, .patch])
    func nonIdempotent(method: APIRequestMethod) async {
        answers.update { $0 = [.failure(.broken(Failure("x"))), .text("ok")] }
        var policy = APIRetryPolicy(maximumAttempts: 3)
        let (_, response) = await send(service(policy), waits: 0) { $0.method = method }
        #expect(response.result.error == .connectionError(Failure("x")))
        answers.update { $0 = [.failure(.broken(Failure("x"))), .text("ok")] }
        policy.repeatsNonIdempotent = true
        let (_, other) = await send(service(policy), waits: 1) { $0.method = method }
        #expect(other.result.value == Text("ok"))
    }

    @Test(
        "A broken connection is retried (async-http-client#715); a 404 and an unparsable body are not"
    )
    func what() async {
        let service = service(APIRetryPolicy(maximumAttempts: 3))
        answers.update {
            $0 = [.failure(.broken(Failure("x"))), .failure(.unreachable(Failure("x"))), .text("ok")]
        }
        #expect(await send(service, waits: 2).1.result.value == Text("ok"))
        for answer in [StubAPIClient.Answer.text("", statusCode: 404), .text("unparsable")] {
            answers.update { $0 = [answer] }
            #expect(await send(service, waits: 0).1.explanation.attempts == 1)
        }
    }

    @Test("A request's own retry policy overrides the settings, and accessories adapt every attempt")
    func own() async {
        answers.update { $0 = [.text("", statusCode: 503), .text("ok")] }
        let (count, clock) = (Recorded(0), clock)
        let service = APIService(
            client: client,
            config: testSettings {
                $0.clock = clock
                $0.timeout = nil
                $0.accessories = [
                    APISigningAccessory { request in
                        var request = request
                        request.setValue(
                            "\(count.update { $0 += 1; return $0 })", forHTTPHeaderField: "X-Sign")
                        return request
                    }
                ]
            })
        _ = await send(service, waits: 1) { $0.retry = APIRetryPolicy(maximumAttempts: 2) }
        #expect(client.requests.map { $0.value(forHTTPHeaderField: "X-Sign") } == ["1", "2"])
    }

    @Test("The jitter on top of Retry-After leaves time for the next attempt")
    func jitterWithinLimit() {
        let delay = APIRetryPolicy(maximumAttempts: 2, baseDelay: .zero).delay(
            afterAttempt: 1, method: .get, retryAfter: .seconds(4), remaining: .seconds(5), random: 1)
        #expect(delay == .seconds(4.5))
    }

    @Test("If Retry-After exceeds the remaining time, the response is returned immediately")
    func beyondLimit() async {
        answers.update { $0 = [.text("wait", statusCode: 429, headers: ["Retry-After": "5"])] }
        let (_, response) = await send(service(APIRetryPolicy(maximumAttempts: 3)), waits: 0) {
            $0.timeout = .seconds(5)
        }
        #expect(response.data == Data("wait".utf8))
        #expect(client.requests.count == 1)
    }

    @Test("Of the statuses of errors, those that say that a later attempt may succeed are retried")
    func statuses() async {
        let retried = [408, 429, 500, 502, 503, 504]
        let policy = APIRetryPolicy(maximumAttempts: 2, baseDelay: .zero)
        let service = APIService(client: client, config: testSettings { $0.retry = policy })
        for status in 400...599 {
            answers.update { $0 = [.text("", statusCode: status), .text("ok")] }
            let response = await service.response(to: TestRequest(Text.self))
            #expect(response.explanation.attempts == (retried.contains(status) ? 2 : 1), "\(status)")
        }
    }

    @Test("The timeout of a request also ends the delay between two attempts")
    func timeout() async {
        answers.update { $0 = [.text("", statusCode: 503)] }
        async let response = service(APIRetryPolicy(maximumAttempts: 3, baseDelay: .seconds(10))).response(
            to: TestRequest(Text.self) { $0.timeout = .seconds(4) })
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(4))
        #expect(await response.result.error == .timedOut)
        #expect(client.requests.count == 1)
    }
}
