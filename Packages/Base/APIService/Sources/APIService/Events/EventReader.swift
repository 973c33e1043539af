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
        /// The answer's status; nil when there was no head.
        var status: Int?
        /// Whether there shall be no new connection, whatever the caller wants.
        var isFinal: Bool
    }

    private struct State {
        var parser: ServerEventParser
        var task: (any APIRequestTask)?
        var hadEvents = false
        var status: Int?
        /// What still comes is of no interest.
        var isOver = false
        var isFinal = false
    }

    private let state: Locked<State>
    private let accepts: @Sendable (Int) -> Bool
    private let eventLimit: Int
    private let handler: @Sendable (APIServerEvent) -> Bool

    /// - Parameters:
    ///   - lastID: The id of the last event before.
    ///   - eventLimit: The most bytes that one event may have.
    ///   - accepts: Whether an answer of this status is read.
    ///   - handler: Takes an event; returns false when there is no more room.
    init(
        lastID: String, eventLimit: Int, accepts: @escaping @Sendable (Int) -> Bool,
        handler: @escaping @Sendable (APIServerEvent) -> Bool
    ) {
        state = Locked(State(parser: ServerEventParser(lastID: lastID)))
        (self.accepts, self.eventLimit, self.handler) = (accepts, eventLimit, handler)
    }

    /// How the connection ended.
    var end: End {
        state.withLock { state in
            End(
                lastID: state.parser.lastID, retry: state.parser.retry, hadEvents: state.hadEvents,
                status: state.status, isFinal: state.isFinal)
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
            state.withLock { ($0.status, $0.isFinal) = (head.statusCode, head.statusCode == 204) }
            if !accepts(head.statusCode) {
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
