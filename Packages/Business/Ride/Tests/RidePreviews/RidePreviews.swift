#if canImport(SwiftUI)
import ApiCenter
import Ride
import RideApi
import SwiftUI

/// Ride before the metro, on a ride, and without a passenger.
struct RidePreviews: PreviewProvider {
    static var previews: some View {
        screen(PreviewRide())
        screen(PreviewRide(enteredAt: "Old Town"))
        screen(PreviewRide(isLoggedIn: false))
    }

    private static func screen(_ ride: PreviewRide) -> some View {
        let center = ApiCenter()
        center.register(RideApiProtocol.self) { ride }
        return rideScreen(in: center)
    }
}

private struct PreviewRide: RideApiProtocol {
    let stations = ["Airport", "Old Town", "Harbour"]
    var enteredAt: String?
    var isLoggedIn = true

    func code() throws(RideApiError) -> RideTicket {
        guard isLoggedIn else { throw .notLoggedIn }
        return RideTicket(code: "M-1024-77", expires: .distantFuture)
    }

    func passGate(code: String, at station: String) throws(RideApiError) -> Passage {
        .entered(station: station)
    }

    func gateEvents(at station: String) -> AsyncThrowingStream<GateEvent, any Error> {
        AsyncThrowingStream { $0.finish() }
    }
}
#endif
