import APIEvents
import APIService
import Foundation
import RideApi
import TransitRequests

/// Requests the events of a station's gates.
private struct GateEventsRequest: APIRequest {
    typealias Response = Data
    let station: String
    var path: String { "/gates/\(station)/events" }
}

extension RideService {
    func gateEvents(at station: String) -> AsyncThrowingStream<GateEvent, any Error> {
        let (events, continuation) = AsyncThrowingStream.makeStream(
            of: GateEvent.self, bufferingPolicy: .bufferingNewest(100))
        guard stations.contains(station) else {
            continuation.finish(throwing: RideApiError.unknownStation(station))
            return events
        }
        let task = Task { [network] in
            do {
                for try await event in network.events(of: GateEventsRequest(station: station)) {
                    if let event = GateEvent(rawValue: event.data) { continuation.yield(event) }
                }
                continuation.finish()
            } catch {
                let failure: any Error = (error as? APIError).map(TransitError.network) ?? error
                continuation.finish(throwing: RideApiError.unreachable("\(failure)"))
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return events
    }
}
