import Locking
import Synchronization

/// Lets equal requests that run at the same time share one exchange.
///
/// Every request gets the response or the error of the shared exchange, no matter when it joined. A cancelled
/// request leaves without affecting the others; when the last one leaves, the exchange is cancelled.
///
/// All operations are thread-safe.
final class Coalescer: Sendable {
    /// The place of one request among those that share an exchange. Each service numbers its exchanges.
    struct Part: CustomStringConvertible {
        let exchange: Int
        /// 1 for the request that started the exchange, 2 for the first that joined it, and so on.
        let place: Int

        var description: String {
            place == 1
                ? "began exchange \(exchange), which equal requests may join"
                : "joined exchange \(exchange) of an equal request, as number \(place)"
        }
    }

    /// A shared exchange.
    private final class Flight: Sendable {
        let number: Int
        init(number: Int) { self.number = number }

        struct State {
            var waiters: [Int: @Sendable (Result<RawAnswer, APIError>) -> Void] = [:]
            var next = 0
        }

        let signal = CancelSignal()
        let state = Locked(State())
    }

    private let flights = Locked<[APICacheKey: Flight]>([:])
    private let begun = Atomic(0)

    /// The number of running exchanges, for tests.
    var count: Int { flights.withLock { $0.count } }

    /// The number of requests that wait for running exchanges, for tests.
    var waiters: Int {
        flights.withLock { $0.values.reduce(0) { $0 + $1.state.withLock { $0.waiters.count } } }
    }

    /// Joins the running exchange with this key, or starts `exchange` if no exchange with this key is running.
    /// Returns the response.
    ///
    /// - Parameters:
    ///   - takesPart: Called once with the place of this request, before the exchange starts.
    ///   - exchange: The exchange. Receives the signal that cancels it.
    func share(
        _ key: APICacheKey, signal: CancelSignal, takesPart: (Part) -> Void,
        _ exchange: @escaping @Sendable (CancelSignal) async -> Result<RawAnswer, APIError>
    ) async throws(APIError) -> RawAnswer {
        let result = try await signal.wait { answer in
            let (flight, id, isFirst) = self.join(key, answer)
            takesPart(Part(exchange: flight.number, place: id))
            if isFirst {
                Task {
                    let result = await exchange(flight.signal)
                    self.end(key, flight, with: result)
                }
            }
            return { self.leave(key, flight, id) }
        }
        return try result.get()
    }

    private func join(
        _ key: APICacheKey, _ answer: @escaping @Sendable (Result<RawAnswer, APIError>) -> Void
    ) -> (Flight, Int, isFirst: Bool) {
        flights.withLock { flights in
            let known = flights[key]
            let flight = known ?? Flight(number: begun.wrappingAdd(1, ordering: .relaxed).newValue)
            flights[key] = flight
            let id = flight.state.withLock { state in
                state.next += 1
                state.waiters[state.next] = answer
                return state.next
            }
            return (flight, id, known == nil)
        }
    }

    private func leave(_ key: APICacheKey, _ flight: Flight, _ id: Int) {
        // Takes the lock of `join`, so that no request joins an exchange that is about to be cancelled.
        let isLast = flights.withLock { flights in
            let isLast = flight.state.withLock { state in
                state.waiters.removeValue(forKey: id) != nil && state.waiters.isEmpty
            }
            if isLast, flights[key] === flight { flights[key] = nil }
            return isLast
        }
        if isLast { flight.signal.fire(.cancelled) }
    }

    private func end(_ key: APICacheKey, _ flight: Flight, with result: Result<RawAnswer, APIError>) {
        let waiters = flights.withLock { flights in
            if flights[key] === flight { flights[key] = nil }
            return flight.state.withLock { state in
                defer { state.waiters = [:] }
                return Array(state.waiters.values)
            }
        }
        for waiter in waiters { waiter(result) }
    }
}
