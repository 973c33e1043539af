import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension APIService {
    /// The events that a server sends in answer to a request, as they come, until the server ends the answer.
    ///
    /// The request goes through parameters, encoding, its interceptor, the plugins' `prepare` and the
    /// accessories; it asks for `text/event-stream` unless it says otherwise. There is no cache, no retry, no
    /// time limit but the one on silence that the request's `timeoutInterval` is, and no new connection: whoever wants one asks again, with the last event's id in
    /// `Last-Event-ID`. Each loop over the events is an exchange of its own, which ends with the loop's task or
    /// when the loop is left. Events that are not asked for fast enough wait in memory.
    ///
    /// The loop throws ``APIError``: a status that is not acceptable (without its body), a broken connection,
    /// or that the client does not stream.
    public func events<T: APIRequest>(
        of request: T, plugins: [any APIPlugin] = []
    ) -> AsyncThrowingStream<APIServerEvent, any Error> {
        let settings = config.settings
        let signal = CancelSignal()
        return AsyncThrowingStream { events in
            let task = Task {
                do {
                    let built = try RequestBuilder(
                        request: request, plugins: plugins, encoding: nil,
                        journal: Journal(clock: settings.clock)
                    ).build().0
                    guard let client = client as? any APIStreamingClient else {
                        throw APIError.requestError(.unsupported("\(type(of: client)) does not stream"))
                    }
                    let exchange = Exchange(
                        client: client, settings: settings, retry: .never, taskType: .request, signal: signal,
                        journal: Journal(clock: settings.clock), progressHandler: nil)
                    var adapted = try await exchange.adapt(built)
                    if adapted.value(forHTTPHeaderField: "Accept") == nil {
                        adapted.setValue("text/event-stream", forHTTPHeaderField: "Accept")
                    }
                    let reader = EventReader(acceptable: request.acceptableStatusCodes) { events.yield($0) }
                    try await reader.read(client, adapted, signal)
                    events.finish()
                } catch {
                    events.finish(throwing: error)
                }
            }
            events.onTermination = { _ in
                signal.fire(.cancelled)
                task.cancel()
            }
        }
    }
}

/// Reads one streamed answer.
private final class EventReader: Sendable {
    private struct State {
        var parser = ServerEventParser()
        var refused: HTTPURLResponse?
    }

    private let state = Locked(State())
    private let acceptable: Range<Int>
    private let handler: @Sendable (APIServerEvent) -> Void

    init(acceptable: Range<Int>, handler: @escaping @Sendable (APIServerEvent) -> Void) {
        (self.acceptable, self.handler) = (acceptable, handler)
    }

    func read(
        _ client: any APIStreamingClient, _ request: URLRequest, _ signal: CancelSignal
    ) async throws(APIError) {
        let error: APIError? = try await signal.wait { end in
            let task = client.createStreamRequest(request: request, upload: nil, progressHandler: nil) {
                event in
                self.take(event, end)
            }
            task.resume()
            return { task.cancel() }
        }
        if let error { throw error }
    }

    private func take(_ event: APIStreamEvent, _ end: @Sendable (APIError?) -> Void) {
        switch event {
        case .head(let head):
            if !acceptable.contains(head.statusCode) {
                state.withLock { $0.refused = head }
                // Its body, which may never end, is of no interest.
                end(.responseError(.unacceptableStatus(APIStatusFailure(statusCode: head.statusCode))))
            }
        case .piece(let piece):
            let events = state.withLock { state in
                state.refused == nil ? state.parser.read(piece) : []
            }
            for event in events { handler(event) }
        case .end(nil): end(nil)
        case .end(.cancelled): end(.cancelled)
        case .end(.unreachable): end(.networkError)
        case .end(.broken(let error)): end(.connectionError(error))
        }
    }
}
