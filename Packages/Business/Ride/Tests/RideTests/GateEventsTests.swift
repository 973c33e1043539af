import APIService
import APIServiceTesting
import ApiCenter
import Foundation
import RideApi
import Storage
import Testing

@testable import Ride

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The stream of the events of a station's gates", .waitLimit)
struct GateEventsTests {
    /// A Ride whose server answers with a closure. The Ride and its client live as long as their users.
    private func ride(
        _ answer: @escaping @Sendable (URLRequest) async -> StubAPIClient.Answer
    ) throws -> (RideService, StubAPIClient) {
        let client = StubAPIClient(answer), center = ApiCenter()
        let network = APIService(client: client, config: .forTests())
        network.config.update { $0.baseURL = URL(string: "https://transit.example") }
        center.register(APIService.self) { network }
        center.register(Storage.self) { .inMemory() }
        center.register(NotificationCenter.self) { NotificationCenter() }
        return (try RideService(center: center), client)
    }

    @Test("Ride streams the events of a station's gates, and throws if the server or the station is unknown")
    func stream() async throws {
        let app = try await App(), ride = try app.ride
        func events(at station: String) async throws -> [GateEvent] {
            try await ride.gateEvents(at: station).reduce(into: []) { $0.append($1) }
        }
        await #expect(throws: RideApiError.self) { try await events(at: "Old Town") }
        let server = try #require(URL(string: "https://transit.example"))
        app.network.config.update { $0.baseURL = server }
        #expect(try await events(at: "Old Town") == [.opened, .closed])
        await #expect(throws: RideApiError.unknownStation("Moon")) { try await events(at: "Moon") }
        let error = await #expect(throws: RideApiError.self) { try await events(at: "Museum") }
        #expect(error == .unreachable("The server cannot answer now; please try again later (status 404)."))
    }

    @Test("A loop that is cancelled ends the request for the events")
    func cancelled() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream(), (ended, end) = AsyncStream<Void>.makeStream()
        let never = AsyncStream<Void>.makeStream()
        let (ride, _) = try ride { _ in
            ask.finish()
            for await _ in never.stream {}
            end.finish()
            return .text("")
        }
        let loop = Task { for try await _ in ride.gateEvents(at: "Museum") {} }
        for await _ in asked {}
        loop.cancel()
        // The loop over a stream that never ends returns when its task is cancelled.
        for await _ in ended {}
    }

    @Test("A loop that reads late gets the newest 100 events")
    func late() async throws {
        weak var alive: StubAPIClient?
        let events: AsyncThrowingStream<GateEvent, any Error>
        do {
            let (ride, client) = try ride { _ in
                .text(
                    String(repeating: "data: opened\n\n", count: 20)
                        + String(repeating: "data: closed\n\n", count: 100),
                    headers: ["Content-Type": "text/event-stream"])
            }
            alive = client
            events = ride.gateEvents(at: "Museum")
        }
        // The task that reads the server's answer keeps the client alive until it has read everything.
        while alive != nil { await Task.yield() }
        #expect(
            try await events.reduce(into: []) { $0.append($1) } == [GateEvent](repeating: .closed, count: 100)
        )
    }
}
