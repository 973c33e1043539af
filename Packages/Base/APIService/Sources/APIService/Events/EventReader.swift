import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Reads the events of one streamed answer.
///
/// All operations are safe from every thread; what the client tells comes one at a time.
final class EventReader: Sendable {
    /// What a connection leaves behind.
    struct End {
        var lastID: String
        /// In milliseconds.
        var retry: Int?
        var hadEvents: Bool
        /// Whether there shall be no new connection, whatever the caller wants.
        var isFinal: Bool
    }

    private struct State {
        var parser: ServerEventParser
        var task: (any APIRequestTask)?
        var hadEvents = false
        /// What still comes is of no interest.
        var isOver = false
        var isFinal = false
    }

    private let state: Locked<State>
    private let acceptable: Range<Int>
    private let eventLimit: Int
    private let handler: @Sendable (APIServerEvent) -> Bool

    /// - Parameter handler: Takes an event; returns false when there is no more room.
    init(
        acceptable: Range<Int>, lastID: String, eventLimit: Int,
        handler: @escaping @Sendable (APIServerEvent) -> Bool
    ) {
        state = Locked(State(parser: ServerEventParser(lastID: lastID)))
        (self.acceptable, self.eventLimit, self.handler) = (acceptable, eventLimit, handler)
    }

    /// How the connection ended.
    var end: End {
        state.withLock { state in
            End(
                lastID: state.parser.lastID, retry: state.parser.retry, hadEvents: state.hadEvents,
                isFinal: state.isFinal)
        }
    }

    /// Reads to the end of the answer, and returns what was wrong with it.
    ///
    /// - Throws: The signal's reason.
    func read(
        _ client: any APIStreamingClient, _ request: URLRequest, _ signal: CancelSignal
    ) async throws(APIError) -> APIError? {
        // An answer that is over for us need not be over for the server.
        defer { state.withLock { $0.task }?.cancel() }
        return try await signal.wait { (answer: @escaping @Sendable (APIError?) -> Void) in
            let task = client.createStreamRequest(request: request, upload: nil, progressHandler: nil) {
                self.take($0, answer)
            }
            state.withLock { $0.task = task }
            task.resume()
            return { task.cancel() }
        }
    }

    private func take(_ event: APIStreamEvent, _ answer: @Sendable (APIError?) -> Void) {
        switch event {
        case .head(let head):
            if head.statusCode == 204 { state.withLock { $0.isFinal = true } }
            if !acceptable.contains(head.statusCode) {
                // Its body, which may never end, is of no interest.
                over(
                    .responseError(.unacceptableStatus(APIStatusFailure(statusCode: head.statusCode))), answer
                )
            }
        case .piece(let piece):
            let (events, isTooLong) = state.withLock { state -> ([APIServerEvent], Bool) in
                guard !state.isOver else { return ([], false) }
                let events = state.parser.read(piece)
                state.hadEvents = state.hadEvents || !events.isEmpty
                return (events, state.parser.pending > eventLimit)
            }
            for event in events where !handler(event) {
                return over(.connectionError(APIEventOverflow.tooMany), answer)
            }
            if isTooLong { over(.connectionError(APIEventOverflow.tooLong), answer) }
        case .end(nil): answer(nil)
        case .end(.cancelled): answer(.cancelled)
        case .end(.unreachable): answer(.networkError)
        case .end(.broken(let error)): answer(.connectionError(error))
        }
    }

    /// Ends the reading for good.
    private func over(_ error: APIError, _ answer: @Sendable (APIError?) -> Void) {
        state.withLock { ($0.isOver, $0.isFinal) = (true, true) }
        answer(error)
    }
}
