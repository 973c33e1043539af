import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension APIService {
    /// The events that a server sends in answer to a request, as they come, until the server ends the answer and
    /// `source` wants no new connection.
    ///
    /// The request goes through parameters, encoding, its interceptor and the plugins' `prepare` once, and through
    /// the accessories for each connection. It asks for `text/event-stream` unless it says otherwise. There is no
    /// cache, and no time limit but the one on silence that the request's `timeoutInterval` is. A new connection
    /// tells the server the last event's id (`Last-Event-ID`). Each call is a stream of its own, for one loop; it
    /// begins at once, and ends with the loop's task or when the loop is left.
    ///
    /// A connection that is refused for its token goes again, once and at once, when ``APISettings/tokenRefresh`` has
    /// a new one, as any request does; that is no reconnection.
    ///
    /// The loop throws ``APIError``: a status that is not acceptable (without its body), a broken connection, too
    /// many events at once, what the token refresh failed with, or that the client does not stream.
    ///
    /// - Parameters:
    ///   - request: What to ask.
    ///   - plugins: Prepare the request.
    ///   - source: How the stream is kept up. One connection by default.
    public func events<T: APIRequest>(
        of request: T, plugins: [any APIPlugin] = [], source: APIEventSource = .once
    ) -> AsyncThrowingStream<APIServerEvent, any Error> {
        let settings = config.settings
        let signal = CancelSignal()
        let (stream, events) = AsyncThrowingStream.makeStream(
            of: APIServerEvent.self, bufferingPolicy: .bufferingOldest(max(source.bufferLimit, 1)))
        let task = Task { [client] in
            do {
                let built = try RequestBuilder(
                    request: request, plugins: plugins, encoding: nil, journal: Journal(clock: settings.clock)
                ).build().0
                guard let client = client as? any APIStreamingClient else {
                    throw APIError.requestError(.unsupported("\(type(of: client)) does not stream"))
                }
                try await EventLoop(
                    client: client, settings: settings, source: source,
                    acceptable: request.acceptableStatusCodes,
                    signal: signal
                ) { event in
                    if case .dropped = events.yield(event) { return false }
                    return true
                }.run(built)
                events.finish()
            } catch {
                events.finish(throwing: error)
            }
        }
        events.onTermination = { _ in
            signal.fire(.cancelled)
            task.cancel()
        }
        return stream
    }
}

/// One connection after the other.
private struct EventLoop: Sendable {
    let client: any APIStreamingClient
    let settings: APISettings
    let source: APIEventSource
    let acceptable: Range<Int>
    let signal: CancelSignal
    /// Takes an event; returns false when there is no more room.
    let handler: @Sendable (APIServerEvent) -> Bool

    func run(_ request: URLRequest) async throws(APIError) {
        var failures = 0
        var lastID = ""
        var retry: Duration?
        var hasRefreshed = false
        while true {
            let refresh = APITokenRefresh.isRunning ? nil : settings.tokenRefresh
            let generation = refresh?.generation ?? 0
            @Sendable func isRefused(_ status: Int) -> Bool { refresh?.isRefused(status) ?? false }
            let reader = EventReader(
                lastID: lastID, eventLimit: source.eventLimit,
                accepts: { [acceptable, hasRefreshed] status in
                    acceptable.contains(status) && (hasRefreshed || !isRefused(status))
                }, handler: handler)
            let error: APIError?
            do {
                error = try await reader.read(client, adapted(request, lastID), signal)
            } catch {
                // Called off, or an accessory failed: no connection would help.
                throw error
            }
            let end = reader.end
            if end.hadEvents { failures = 0 }
            (lastID, retry) = (end.lastID, end.retry.map { .milliseconds($0) } ?? retry)
            let wasRefused = end.status.map(isRefused)
            if wasRefused == true, !hasRefreshed, let refresh {
                hasRefreshed = true
                try await refresh.newToken(after: generation, clock: settings.clock, signal: signal)
                continue
            }
            if wasRefused == false { hasRefreshed = false }
            guard !end.isFinal, let wait = source.wait(failures: failures, retry: retry) else {
                // What ended for good did so by what the server sent, and not because there was no network.
                if let error { throw end.isFinal ? error : settings.diagnosed(error) }
                return
            }
            failures += 1
            let clock = settings.clock
            try await signal.run { try await clock.sleep(for: wait) }
        }
    }

    private func adapted(_ request: URLRequest, _ lastID: String) async throws(APIError) -> URLRequest {
        var request = request
        if request.value(forHTTPHeaderField: "Accept") == nil {
            request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        }
        if !lastID.isEmpty { request.setValue(lastID, forHTTPHeaderField: "Last-Event-ID") }
        return try await Exchange(
            client: client, settings: settings, retry: .never, taskType: .request, signal: signal,
            journal: Journal(clock: settings.clock), progressHandler: nil
        ).adapt(request)
    }
}
