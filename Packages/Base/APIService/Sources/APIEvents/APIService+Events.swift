import APIService
import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension APIService {
    /// Streams the events that a server sends in response to a request, until the server ends the response
    /// and `source` allows no reconnection.
    ///
    /// The request is built once, including its parameters, encoding, interceptor and the plugins' `prepare`;
    /// accessories run for each connection. The Accept field is `text/event-stream` unless the request sets another
    /// one. There is no cache and no overall time limit; only the request's `timeoutInterval` limits how long a
    /// connection may be silent. A new connection sends the last event's ID in the `Last-Event-ID` field, unless the ID
    /// contains a control character.
    ///
    /// Each call returns an independent stream for one `for try await` loop. The stream connects immediately. It
    /// disconnects when the loop exits or its task is cancelled.
    ///
    /// If the server rejects a connection's token, the stream fetches a new token with ``APISettings/tokenRefresh`` and
    /// reconnects immediately, but never twice in a row. This reconnection does not count toward
    /// ``APIEventSource/maximumReconnections``.
    ///
    /// On Apple platforms, `URLSession` holds back the head and the first 512 bytes of any body whose type is not
    /// JSON, so the first events may be late. The server can avoid this delay: see <doc:Transports>.
    ///
    /// The loop throws an ``APIError`` if the request cannot be built, the client does not support streaming, the
    /// status is not acceptable (the error then has no body), the connection breaks, too many events are waiting, the
    /// token refresh fails, or the user has logged out or changed when the stream connects.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - plugins: Plugins that prepare the request.
    ///   - source: How the stream reconnects and buffers. A single connection by default.
    public func events<T: APIRequest>(
        of request: T, plugins: [any APIPlugin] = [], source: APIEventSource = .once
    ) -> AsyncThrowingStream<APIServerEvent, any Error> {
        let settings = config.settings
        let accounts = settings.accounts
        let (stream, events) = AsyncThrowingStream.makeStream(
            of: APIServerEvent.self, bufferingPolicy: .bufferingOldest(max(source.bufferLimit, 1)))
        let task = Task { [client] in
            do {
                try request.check(accounts)
                let built = try RequestBuilder(
                    request: request, plugins: plugins, encoding: nil, settings: settings,
                    journal: Journal(clock: settings.clock)
                ).build().urlRequest
                guard let client = client as? any APIStreamingClient else {
                    throw APIError.requestError(.unsupported("\(type(of: client)) cannot stream"))
                }
                try await EventLoop(
                    client: client, settings: settings, accounts: accounts, source: source,
                    acceptable: request.acceptableStatusCodes
                ) { event in
                    if case .dropped = events.yield(event) { return false }
                    return true
                }.run(built)
                events.finish()
            } catch {
                events.finish(throwing: APIError(building: error))
            }
        }
        events.onTermination = { _ in task.cancel() }
        return stream
    }
}

/// Reads one connection after another.
private struct EventLoop: Sendable {
    let client: any APIStreamingClient
    let settings: APISettings
    /// The users whose credentials the accessories added when the stream was made.
    let accounts: [String?]
    let source: APIEventSource
    let acceptable: Set<Int>
    /// Receives an event; returns false if the buffer is full.
    let handler: @Sendable (APIServerEvent) -> Bool

    func run(_ request: URLRequest) async throws {
        var failures = 0
        var lastID = ""
        var retry: Duration?
        var hasRefreshed = false
        var resends = 0
        var hop = Hop(request)
        while true {
            let refresh = APITokenRefresh.isRunning ? nil : settings.tokenRefresh
            // An accessory's error ends the stream, because reconnecting would not help.
            let adapted = try await adapted(hop.request, lastID, hop.followed)
            let rejected = APITokenRefresh.Rejected(adapted, of: request)
            let mayRefresh =
                refresh.map { !hasRefreshed && $0.mayHelp(rejected, now: settings.now()) } ?? false
            @Sendable func isRefused(_ head: HTTPURLResponse) -> Bool {
                refresh?.isNeeded(for: head, to: adapted) ?? false
            }
            let reader = EventReader(
                lastID: lastID, eventLimit: source.eventLimit,
                accepts: { [acceptable] head in
                    acceptable.contains(head.statusCode) && !(mayRefresh && isRefused(head))
                }, handler: handler)
            let error = await RedirectRules.$current.withValue(adapted.rules) {
                await reader.read(client, adapted.request)
            }
            try Task.checkCancellation()
            if let error, error.allowsResend(hop.request.method, after: resends) {
                resends += 1
                continue
            }
            resends = 0
            let end = reader.end
            if let head = end.head, hop.follows(head, adapted.rules) { continue }
            if end.hadEvents { failures = 0 }
            (lastID, retry) = (end.parser.lastID, end.parser.retry.map { .milliseconds($0) } ?? retry)
            let wasRefused = end.head.map(isRefused)
            if wasRefused == true, let refresh {
                if mayRefresh {
                    hasRefreshed = true
                    if try await refresh.renews(rejected, settings: settings, for: accounts) {
                        hop.beginAgain()
                        continue
                    }
                } else if hasRefreshed {
                    refresh.noteRefusal(of: rejected, now: settings.now())
                }
            }
            if wasRefused == false { hasRefreshed = false }
            guard !end.isFinal, let wait = source.wait(failures: failures, retry: retry) else {
                // A final end is caused by the server's response, so the error is not reported as a missing network.
                if let error {
                    throw end.isFinal
                        ? error.naming(adapted.request.url) : settings.diagnosed(error, adapted.request.url)
                }
                return
            }
            failures += 1
            hop = Hop(request)
            try await settings.clock.sleep(for: wait)
        }
    }

    private func adapted(
        _ request: URLRequest, _ lastID: String, _ followed: Int
    ) async throws -> Adapted {
        var request = request
        if request.value(forHTTPHeaderField: "Accept") == nil {
            request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        }
        // A header field cannot contain the control characters that an ID may contain.
        let isSendable = lastID.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
        if !lastID.isEmpty, isSendable { request.setValue(lastID, forHTTPHeaderField: "Last-Event-ID") }
        return try await settings.adapted(request, for: accounts, followed)
    }
}
