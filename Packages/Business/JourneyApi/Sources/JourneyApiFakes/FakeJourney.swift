import JourneyApi
import Synchronization

/// A Journey for tests, which keeps the journeys of all passengers together, in memory. Thread-safe.
public final class FakeJourney: JourneyApiProtocol {
    private let state = Mutex<[Journey]>([])

    /// Creates a Journey without journeys.
    public init() {}

    /// The recorded journeys, oldest first.
    public var journeys: [Journey] { state.withLock { $0 } }

    public func journeys(limit: Int) -> [Journey] { journeys.suffix(max(0, limit)).reversed() }

    public func record(_ journey: Journey) { state.withLock { $0.append(journey) } }

    public func statement() -> [String] { [] }
}
