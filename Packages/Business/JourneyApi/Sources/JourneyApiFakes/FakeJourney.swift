import JourneyApi
import Synchronization

/// A Journey for tests, which keeps the journeys in memory, and lists those of all passengers together. Thread-safe.
public final class FakeJourney: JourneyApiProtocol {
    private let state = Mutex<[(journey: Journey, passenger: String)]>([])
    private let failure = Mutex<JourneyApiError?>(nil)

    /// Creates a Journey without journeys.
    public init() {}

    /// The error that ``record(_:of:)`` throws; nil if the call succeeds.
    public var recordError: JourneyApiError? {
        get { failure.withLock { $0 } }
        set { failure.withLock { $0 = newValue } }
    }

    /// The recorded journeys of all passengers, in the order in which they were recorded.
    public var journeys: [Journey] { state.withLock { $0.map(\.journey) } }

    /// The recorded journeys of a passenger, in the order in which they were recorded.
    public func journeys(of passenger: String) -> [Journey] {
        state.withLock { $0.filter { $0.passenger == passenger }.map(\.journey) }
    }

    public func journeys(limit: Int) -> [Journey] {
        journeys.sorted { $0.date < $1.date }.suffix(max(0, limit)).reversed()
    }

    public func record(_ journey: Journey, of passenger: String) throws(JourneyApiError) {
        if let recordError { throw recordError }
        state.withLock { journeys in
            if !journeys.contains(where: { $0 == (journey, passenger) }) {
                journeys.append((journey, passenger))
            }
        }
    }

    public func statement() -> [String] { [] }
}
