import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APIEvents
@testable import APIService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Token refresh of server-sent events", .waitLimit)
struct EventRefreshTests {
    /// The number of token renewals, which also serves as the token.
    private let renewed = Recorded(0)
    private let refreshes = Recorded(0)

    /// A service with numbered tokens, whose server passes each token to `answer` and returns the result.
    private func service(
        refresh: @escaping @Sendable (APIService) async throws -> Void = { _ in },
        answer: @escaping @Sendable (_ token: String) async -> StubAPIClient.Answer
    ) -> (APIService, StubAPIClient) {
        let client = StubAPIClient { request in
            await answer(request.value(forHTTPHeaderField: "Authorization") ?? "")
        }
        let own = Recorded<APIService?>(nil)
        let (renewed, refreshes) = (renewed, refreshes)
        let service = APIService(
            client: client,
            config: testSettings {
                $0.accessories = [APITokenAccessory(user: { "u" }, scheme: "") { "\(renewed.value)" }]
                $0.tokenRefresh = APITokenRefresh(timeout: nil) { _ in
                    refreshes.update { $0 += 1 }
                    if let service = own.value { try await refresh(service) }
                    return ""
                } store: { _, _ in
                    renewed.update { $0 += 1 }
                }
            })
        own.update { $0 = service }
        return (service, client)
    }

    /// Reads a stream, and returns its events' data and the error that the loop throws.
    private func read(
        _ service: APIService, _ source: APIEventSource = .once, acceptable: Range<Int> = 200..<300
    ) async -> (data: [String], error: APIError?) {
        let request = TestRequest(APIEmpty.self) { $0.acceptableStatusCodes = Set(acceptable) }
        var data: [String] = []
        do {
            for try await event in service.events(of: request, source: source) { data.append(event.data) }
            return (data, nil)
        } catch {
            return (data, error as? APIError)
        }
    }

    private static let refused = StubAPIClient.Answer.events("data: no\n\n", statusCode: 401)

    @Test(
        "A stream refused at its first connection reconnects with a new token, even if 401 is acceptable",
        arguments: [200..<300, 200..<500])
    func connect(acceptable: Range<Int>) async {
        let (service, client) = service { $0 == "0" ? Self.refused : .events("data: yes\n\n") }
        let (data, error) = await read(service, acceptable: acceptable)
        #expect(data == ["yes"] && error == nil)
        #expect(client.requests.count == 2)
        #expect(refreshes.value == 1)
    }

    @Test("A stream refused when it reconnects refreshes the token and continues after the last event")
    func reconnect() async {
        let connections = Recorded(0)
        let (service, client) = service { token in
            let number = connections.next()
            return switch number {
            case 1, 3, 5: .events("id: \(number)\ndata: \(token)\n\n")
            case 2, 4, 6: Self.refused
            default: StubAPIClient.Answer(statusCode: 204)
            }
        }
        let (data, error) = await read(service, APIEventSource(maximumReconnections: 1, delay: .zero))
        #expect(data == ["0", "1", "2"] && error == nil)
        #expect(
            client.requests.map { $0.value(forHTTPHeaderField: "Last-Event-ID") }
                == [nil, "1", "1", "3", "3", "5", "5"])
        #expect(refreshes.value == 3)
    }

    @Test(
        "A stream ends if the server refuses the new token too, even if a connection broke in between")
    func once() async {
        let connections = Recorded(0)
        let (service, client) = service { _ in
            let number = connections.next()
            return number == 2 ? .failure(.broken(Failure("cut"))) : Self.refused
        }
        let (data, error) = await read(service, APIEventSource(maximumReconnections: 9, delay: .zero))
        #expect(data == [])
        #expect(error == .responseError(.unacceptableStatus(.init(statusCode: 401))))
        #expect(client.requests.count == 3)
        #expect(refreshes.value == 1)
    }

    @Test("A stream that begins after the server has refused a new token starts no refresh")
    func afterRefusal() async {
        let (service, client) = service { _ in Self.refused }
        for _ in 0..<2 {
            #expect(
                await read(service).error == .responseError(.unacceptableStatus(.init(statusCode: 401))))
        }
        #expect(client.requests.count == 3)
        #expect(refreshes.value == 1)
    }

    @Test("A stream for which 401 is acceptable refreshes the token only once if the server keeps refusing")
    func onceThoughAcceptable() async {
        let connections = Recorded(0)
        let (service, _) = service { _ in
            let number = connections.next()
            return number == 6 ? StubAPIClient.Answer(statusCode: 204) : Self.refused
        }
        let source = APIEventSource(maximumReconnections: 9, delay: .zero)
        let (data, error) = await read(service, source, acceptable: 200..<500)
        #expect(data == ["no", "no", "no", "no"] && error == nil)
        #expect(refreshes.value == 1)
    }

    @Test("When the refresh fails, the stream throws the refresh's error and does not connect again")
    func failure() async {
        let (service, client) = service { _ in
            throw Failure("logged out")
        } answer: { _ in
            Self.refused
        }
        let error = await read(service, APIEventSource(maximumReconnections: 9, delay: .zero)).error
        #expect(error == .refreshFailed(Failure("logged out")))
        #expect(client.requests.count == 1)
    }

    @Test(
        "Streams and requests that are refused at the same time share one refresh", .timeLimit(.minutes(10)),
        .waitLimit)
    func singleFlight() async {
        let (service, _) = service { service in
            while service.waitersForToken < 3 { await Task.yield() }
        } answer: { token in
            token == "0" ? Self.refused : .events("data: yes\n\n")
        }
        async let one = read(service).data
        async let other = read(service).data
        let response = await service.response(to: TestRequest(Text.self))
        #expect(await [one, other] == [["yes"], ["yes"]])
        #expect(response.result.value == Text("data: yes\n\n"))
        #expect(refreshes.value == 1)
    }

    @Test("A stream that the refresh itself reads neither waits for a refresh nor starts one")
    func ownStream() async {
        let (service, _) = service { service in
            let error = await read(service).error
            #expect(error == .responseError(.unacceptableStatus(.init(statusCode: 401))))
        } answer: { token in
            token == "0" ? Self.refused : .events("data: yes\n\n")
        }
        #expect(await read(service).data == ["yes"])
        #expect(refreshes.value == 1)
    }

    @Test(
        "Cancelling a stream that waits for a refresh ends its loop, and the refresh continues",
        .timeLimit(.minutes(10)), .waitLimit)
    func left() async {
        let (there, go, ended) = (Door(), Door(), Door())
        let (service, _) = service { _ in
            there.open()
            await go.pass()
            ended.open()
        } answer: { _ in
            Self.refused
        }
        let reading = Task { await read(service) }
        await there.pass()
        reading.cancel()
        #expect(await reading.value.data == [])
        go.open()
        await ended.pass()
    }
}

extension StubAPIClient.Answer {
    /// Returns a stream of server-sent events.
    static func events(_ text: String, statusCode: Int = 200) -> Self {
        self.text(text, statusCode: statusCode, headers: ["Content-Type": "text/event-stream"])
    }
}
