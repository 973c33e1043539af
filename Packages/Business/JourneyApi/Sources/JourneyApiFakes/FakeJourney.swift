import JourneyApi
import Synchronization

/// A Journey for tests, which keeps the journeys in memory, and lists those of all passengers together. Thread-safe.
public final class FakeJourney: JourneyApiProtocol {
    /// Returns the error that the call throws; nil if the call succeeds. The argument is `record`.
    public typealias Hook = @Sendable (_ call: String) -> JourneyApiError?

    private struct State {
        var journeys: [(journey: Journey, passenger: String)] = []
        var before: Hook?
    }

    private let state = Mutex(State())

    /// Creates a Journey without journeys.
    public init() {}

    /// Runs before a call takes effect.
    public var before: Hook? {
        get { state.withLock { $0.before } }
        set { state.withLock { $0.before = newValue } }
    }

    /// The recorded journeys of all passengers, in the order in which they were recorded.
    public var journeys: [Journey] { state.withLock { $0.journeys.map(\.journey) } }

    /// The recorded journeys of a passenger, in the order in which they were recorded.
    public func journeys(of passenger: String) -> [Journey] {
        state.withLock { $0.journeys.filter { $0.passenger == passenger }.map(\.journey) }
    }

    public func journeys(limit: Int) -> [Journey] {
        journeys.sorted { $0.date < $1.date }.suffix(max(0, limit)).reversed()
    }

    public func record(_ journey: Journey, of passenger: String) throws(JourneyApiError) {
        if let error = before?("record") { throw error }
        state.withLock { state in
            if !state.journeys.contains(where: { $0 == (journey, passenger) }) {
                state.journeys.append((journey, passenger))
            }
        }
    }

    public func statement() -> [String] { [] }
}
