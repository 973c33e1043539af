import Locking
import Synchronization

/// Lets equal requests that are under way at once share one exchange.
///
/// A joiner gets the answer, or the failure, that the first one's exchange ends with, whenever it joined. One
/// that is cancelled leaves alone; when the last has left, the exchange is called off.
///
/// All operations are safe from every thread.
final class Coalescer: Sendable {
    /// What a send has to do with a shared exchange, which has a number of its own in its service.
    struct Part: CustomStringConvertible {
        let exchange: Int
        /// 1 for the send whose exchange it is.
        let place: Int

        var description: String {
            place == 1
                ? "began exchange \(exchange), which equal requests may join"
                : "joined exchange \(exchange) of an equal request, as number \(place)"
        }
    }

    /// One shared exchange.
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

    /// The exchanges that are under way, for tests.
    var count: Int { flights.withLock { $0.count } }

    /// How many share the exchange of a key, for tests.
    func waiters(_ key: APICacheKey) -> Int {
        flights.withLock { $0[key]?.state.withLock { $0.waiters.count } ?? 0 }
    }

    /// The answer of `exchange`, or of the one that is under way for the key.
    ///
    /// - Parameters:
    ///   - takesPart: Told once, before the exchange begins.
    ///   - exchange: Is handed the signal that calls it off.
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
        // Under the lock that joins take, so nobody joins an exchange that is being called off.
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
