import APIService
import APITransport
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Reads the events of one streamed response.
///
/// All operations are thread-safe. The client reports one event at a time.
final class EventReader: Sendable {
    struct State {
        var parser: ServerEventParser
        var hadEvents = false
        /// The response's head; `nil` if none has arrived.
        var head: HTTPURLResponse?
        /// Whether to ignore all further events.
        var isOver = false
        /// Whether the stream must not reconnect, whatever its source allows.
        var isFinal = false
    }

    private let state: Locked<State>
    private let accepts: @Sendable (HTTPURLResponse) -> Bool
    private let handler: @Sendable (APIServerEvent) -> Bool

    /// - Parameters:
    ///   - lastID: The ID of the last event before this connection.
    ///   - eventLimit: The maximum size of one event in bytes.
    ///   - accepts: Returns whether to read a response with this head.
    ///   - handler: Receives an event; returns false if the buffer is full.
    init(
        lastID: String, eventLimit: Int, accepts: @escaping @Sendable (HTTPURLResponse) -> Bool,
        handler: @escaping @Sendable (APIServerEvent) -> Bool
    ) {
        state = Locked(State(parser: ServerEventParser(lastID: lastID, eventLimit: eventLimit)))
        (self.accepts, self.handler) = (accepts, handler)
    }

    /// How the connection ended, once it has.
    var end: State { state.withLock { $0 } }

    /// Reads the response until it ends. Returns `nil` if the response is complete, or else the error that
    /// ended it.
    func read(_ client: any APIStreamingClient, _ request: URLRequest) async -> APIError? {
        // The server may still be sending when this method stops reading.
        var task: (any APIRequestTask)?
        defer { task?.cancel() }
        return await client.exchange { answer in
            let created = client.createStreamRequest(request: request, upload: nil, progressHandler: nil) {
                self.take($0, answer)
            }
            task = created
            return created
        }
    }

    private func take(_ event: APIStreamEvent, _ answer: @Sendable (APIError?) -> Void) {
        switch event {
        case .head(let head):
            state.withLock { ($0.head, $0.isFinal) = (head, head.statusCode == 204) }
            if !accepts(head) {
                // Do not wait for the body, which is not needed and may never end.
                let failure = APIStatusFailure(statusCode: head.statusCode, url: head.url)
                over(.responseError(.unacceptableStatus(failure)), answer)
            } else if !Self.isEventStream(head), head.statusCode != 204 {
                // WHATWG HTML, 9.2.2: the connection fails, and the client does not reconnect.
                let type = head.value(forHTTPHeaderField: "Content-Type") ?? ""
                over(.responseError(.unacceptableContentType(type)), answer)
            }
        case .piece(let piece):
            let (events, isTooLong) = state.withLock { state -> ([APIServerEvent], Bool) in
                guard !state.isOver else { return ([], false) }
                let events = state.parser.read(piece)
                state.hadEvents = state.hadEvents || !events.isEmpty
                return (events, state.parser.isTooLong)
            }
            for event in events where !handler(event) {
                return over(.connectionError(APIEventOverflow.tooMany), answer)
            }
            if isTooLong { over(.connectionError(APIEventOverflow.tooLong), answer) }
        case .end(let error): answer(error.map { APIError($0) })
        }
    }

    private static func isEventStream(_ head: HTTPURLResponse) -> Bool {
        let type = head.value(forHTTPHeaderField: "Content-Type") ?? ""
        return type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
            == "text/event-stream"
    }

    /// Stops reading and marks the end as final.
    private func over(_ error: APIError, _ answer: @Sendable (APIError?) -> Void) {
        state.withLock { ($0.isOver, $0.isFinal) = (true, true) }
        answer(error)
    }
}
