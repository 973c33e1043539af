import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APICoalescing
@testable import APIService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Coalescing of equal requests", .waitLimit)
struct CoalescingTests {
    private let there = Door()
    private let go = Door()
    private let cancelled = Recorded(0)
    private let exchanges = APICoalescing()

    private static let group = SharingGroup(
        service: ObjectIdentifier(APIService.self), generation: 0, users: [], accounts: [], retry: .never,
        limit: nil)

    /// Starts or joins a shared exchange that ends when ``go`` opens.
    private func share(_ answer: String = "a") -> Task<String, any Error> {
        let (there, go, cancelled, exchanges) = (there, go, cancelled, exchanges)
        return Task {
            let request = URLRequest(url: url("http://h/"))
            let journal = Journal(clock: ContinuousClock())
            let response = try await exchanges.join(request, Self.group, journal, cancel: {}) {
                there.open()
                await withTaskCancellationHandler {
                    await go.pass()
                } onCancel: {
                    cancelled.update { $0 += 1 }
                }
                try Task.checkCancellation()
                guard
                    let head = HTTPURLResponse(
                        url: url("http://h/"), statusCode: 200, httpVersion: nil, headerFields: nil)
                else { throw Failure("no head") }
                return APIAnswer(request: request, response: head, body: Data(answer.utf8))
            }
            return String(decoding: response.body, as: UTF8.self)
        }
    }

    @Test("A request shares its exchange if its type says so, unless the request itself does not")
    func shares() {
        struct Plain: APIRequest {
            typealias Response = Text
            let path = ""
        }
        struct Sharing: APICoalescingRequest {
            typealias Response = Text
            let path = ""
        }
        #expect(exchanges.shares(Sharing()) && !exchanges.shares(Plain()))
        #expect(!exchanges.shares(TestRequest(Text.self) { $0.coalesces = false }))
    }

    @Test("Equal requests get the first one's response, and cancelling one does not affect the others")
    func join() async throws {
        let first = share("first")
        await there.pass()
        let second = share("second")
        await waiters(2)
        let third = share("third")
        await waiters(3)
        first.cancel()
        third.cancel()
        await waiters(1)
        #expect(cancelled.value == 0)
        go.open()
        #expect(try await second.value == "first")
        #expect(exchanges.count == 0)
    }

    @Test("An exchange is cancelled when its last request is, and the next request starts a new exchange")
    func leave() async throws {
        let first = share()
        await there.pass()
        let second = share()
        await waiters(2)
        for task in [first, second] { task.cancel() }
        await #expect(throws: CancellationError.self) { try await first.value }
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(cancelled.value == 1)
        #expect(exchanges.count == 0)
        go.open()
        #expect(try await share("again").value == "again")
    }

    @Test("An abandoned exchange that ends late does not end the next one")
    func abandoned() async throws {
        let (begun, late) = (Door(), Door())
        let first = Task { [exchanges] in
            let journal = Journal(clock: ContinuousClock())
            return try await exchanges.join(
                URLRequest(url: url("http://h/")), Self.group, journal, cancel: {}
            ) {
                begun.open()
                // Not cancelled with the exchange.
                await Task { await late.pass() }.value
                throw CancellationError()
            }
        }
        await begun.pass()
        first.cancel()
        await waiters(0)
        let second = share("second")
        await there.pass()
        late.open()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(exchanges.count == 1)
        go.open()
        #expect(try await second.value == "second")
    }

    /// Waits until `count` requests share the exchange.
    private func waiters(_ count: Int) async {
        while exchanges.waiters != count { await Task.yield() }
    }

    @Test(
        "With coalesces set, equal GETs share one exchange but call their own plugins; POSTs share none"
    )
    func service() async {
        let (there, go) = (there, go)
        let client = StubAPIClient { _ in
            there.open()
            await go.pass()
            return .text("hello")
        }
        let service = APIService(client: client, config: testSettings())
        let parts = Recorded<[String]>([])
        let plugin = NotingPlugin(notes: Recorded([]))
        await withTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    let response = await service.response(
                        to: TestRequest(Text.self) {
                            $0.coalesces = true
                            $0.parameters = ["p": .init(number % 2)]
                            $0.method = number < 16 ? .get : .post
                        }, plugins: [plugin])
                    #expect(response.result.value == Text("hello"))
                    for step in response.explanation.steps where step.stage == .coalescing {
                        parts.update { $0.append(step.note) }
                    }
                }
            }
            // A GET request that arrived after its exchange had ended would start a third exchange.
            while service.config.settings.coalescing?.waiters != 16 { await Task.yield() }
            go.open()
        }
        #expect(plugin.notes.value.count { $0 == "didReceive" } == 20)
        #expect(client.requests.count { $0.httpMethod == "POST" } == 4)
        // Each of the two exchanges was started by one request and joined by seven.
        let begun = (1...2).map { "began exchange \($0), which equal requests may join" }
        let joined = (1...2).flatMap { exchange in
            (2...8).map { "joined exchange \(exchange), now shared by \($0) requests" }
        }
        #expect(parts.value.sorted() == begun + joined)
    }

    // The time limit ends the test if the requests share an exchange, which would wait forever for the second
    // request to arrive.
    @Test(
        "Requests that differ in any header field never share an exchange, with or without a user",
        .timeLimit(.minutes(10)), .waitLimit,
        arguments: ["X-Session", "X-Tenant", "Authorization", "If-None-Match"],
        [nil, "ann"])
    func fields(name: String, user: String?) async {
        let arrived = Recorded(0)
        let both = Door()
        let client = StubAPIClient(credentialFields: ["X-Session"]) { request in
            if arrived.next() == 2 {
                both.open()
            }
            await both.pass()
            return .text(request.value(forHTTPHeaderField: name) ?? "none")
        }
        let service = APIService(client: client, config: testSettings { $0.user = { user } })
        func send(_ value: String) async -> Text? {
            await service.response(
                to: TestRequest(Text.self) {
                    $0.coalesces = true
                    $0.headers = [name: value]
                }
            ).result.value
        }
        async let one = send("one")
        async let other = send("other")
        #expect(await [one, other] == [Text("one"), Text("other")])
    }

    /// Adds a different `X-Request-ID` to each attempt.
    private struct Numbering: APIAccessory {
        let last = Recorded(0)
        func adapt(_ request: URLRequest) -> URLRequest {
            var request = request
            let number = last.update { last in
                last += 1
                return last
            }
            request.setValue("\(number)", forHTTPHeaderField: "X-Request-ID")
            return request
        }
    }

    @Test("A request ID that an accessory adds does not prevent equal requests from sharing an exchange")
    func numbered() async throws {
        let (there, go) = (there, go)
        let client = StubAPIClient { request in
            there.open()
            await go.pass()
            return .text(request.value(forHTTPHeaderField: "X-Request-ID") ?? "none")
        }
        let service = APIService(
            client: client, config: testSettings { $0.accessories = [Numbering()] })
        let request = TestRequest(Text.self) { $0.coalesces = true }
        async let first = service.sendRequest(request)
        await there.pass()
        async let second = service.sendRequest(request)
        while service.config.settings.coalescing?.waiters != 2 { await Task.yield() }
        go.open()
        #expect(try await [first, second] == [Text("1"), Text("1")])
    }
}
