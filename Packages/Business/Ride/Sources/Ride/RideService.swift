import RideApi

/// Ride's IMP: an object, built once for everybody.
final class RideService: RideApiProtocol {
    func introduction() -> String { "I am Ride." }
}
