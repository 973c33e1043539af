import APIServiceTesting
import Foundation
import Pages

/// Serves pages to a browser on this machine, and streams the calls between the modules while they happen.
///
/// Only this machine can connect. Requests for other host names, and posts from other sites, are refused, because a web
/// page could otherwise use the app in its reader's name.
public final class PageServer: Sendable {
    /// The address to open.
    public let address: URL
    private let server: LoopbackServer

    /// The most bytes of a request's head and body.
    private static let sizeLimit = 1 << 16

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free one.
    ///   - tabs: The rows of the navigation bar. The first is the first page.
    ///   - diary: The record of the calls.
    ///   - complain: Receives the reasons of failures, which the browser's user does not see.
    ///   - find: Returns the page of an address.
    /// - Throws: `POSIXError` if the port is taken.
    init(
        port: Int, tabs: [PageRow], diary: Diary, complain: @escaping @Sendable (String) -> Void,
        find: @escaping PageVisits.Find
    ) async throws {
        let visits = await PageVisits(diary: diary, complain: complain, find: find)
        let streams = Recorded(0)
        server = try LoopbackServer(
            port: port, keepsRequests: false, sizeLimit: Self.sizeLimit
        ) { request, connection in
            let answer = PageAnswer(
                request: request, visits: visits, tabs: tabs, diary: diary, streams: streams)
            return answer.send(to: connection)
        }
        address = server.url("/")
    }

    /// Closes all connections.
    public func stop() { server.stop() }
}

/// The answer to one request.
private struct PageAnswer {
    let request: LoopbackServer.Request
    let visits: PageVisits
    let tabs: [PageRow]
    let diary: Diary
    /// The number of open streams.
    let streams: Recorded<Int>
    /// The most open streams, each of which has a thread. A browser opens at most six connections to a server.
    private static let streamLimit = 32

    /// Sent with every answer. Pages are not stored, so the back button loads the page again.
    private static let fields = [
        "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
        "Content-Security-Policy": """
        default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; script-src 'self'; connect-src 'self'; \
        img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'
        """,
    ]

    /// Sends the answer. Returns whether the connection stays open.
    func send(to connection: LoopbackServer.Connection) -> Bool {
        guard isOurs else {
            return connection.answer(
                403, ["Content-Type": "text/plain; charset=utf-8"],
                Data("This app answers only requests from its own pages.\n".utf8))
        }
        switch (request.method, request.path) {
        case ("GET", "/app.css"): return answer(connection, "text/css", BrowserFiles.style)
        case ("GET", "/app.js"): return answer(connection, "text/javascript", BrowserFiles.script)
        case ("GET", "/app.svg"): return answer(connection, "image/svg+xml", BrowserFiles.icon)
        case ("GET", "/calls"): return stream(to: connection)
        case ("GET", _): return show(on: connection)
        case ("POST", _): return post(on: connection)
        default: return connection.answer(405, ["Allow": "GET, POST"])
        }
    }

    /// Whether the request is for this server by its own name, and comes from its own pages or from the user.
    private var isOurs: Bool {
        guard let host = request.fields["host"],
            let name = host.split(separator: ":").first,
            ["127.0.0.1", "localhost"].contains(name.lowercased())
        else { return false }
        if let origin = request.fields["origin"] { return origin == "http://\(host)" }
        // Browsers without these fields send the origin with a post.
        switch request.fields["sec-fetch-site"] ?? "same-origin" {
        case "same-origin": return true
        case "none": return request.method == "GET"
        // A link of another site may open a page, but no image, script or fetch of it may.
        default: return request.method == "GET" && request.fields["sec-fetch-mode"] == "navigate"
        }
    }

    private var location: PageLocation {
        let location = PageLocation(target: request.target)
        guard location.address.route.isEmpty, case .address(let first)? = tabs.first?.target else {
            return location
        }
        return PageLocation(first, done: location.done)
    }

    private func show(on connection: LoopbackServer.Connection) -> Bool {
        let previous = request.fields["referer"].flatMap { URLComponents(string: $0) }.map {
            PageLocation(target: $0.path + ($0.percentEncodedQuery.map { "?" + $0 } ?? ""))
        }
        let (visits, location) = (visits, location)
        let screen = wait { await visits.show(location, from: previous) }
        var diagram = LiveDiagram()
        let (recent, end) = diary.entries(from: diary.end - 300)
        let list = diagram.list(of: recent, source: "/calls?from=\(end - recent.count)&after=\(end)")
        let html = PageHTML(screen: screen, location: location.withoutOutcome, tabs: tabs, calls: list)
            .document
        return answer(connection, "text/html", html, status: screen.isFound ? 200 : 404)
    }

    private func post(on connection: LoopbackServer.Connection) -> Bool {
        let (visits, location) = (visits, location)
        let form = FormValues(String(decoding: request.body, as: UTF8.self)).values
        let next = wait { await visits.post(form, to: location) }
        return connection.answer(303, Self.fields.merging(["Location": next.target]) { $1 })
    }

    /// Streams the entries of the diary (https://html.spec.whatwg.org/multipage/server-sent-events.html). Each event holds
    /// new rows of the diagram, and its header, which may have got new names.
    private func stream(to connection: LoopbackServer.Connection) -> Bool {
        let query = PageLocation(target: request.target).address.parameters
        let end = diary.end
        let from = min(max(0, query["from"].flatMap { Int($0) } ?? 0), end)
        var position = (request.fields["last-event-id"] ?? query["after"]).flatMap { Int($0) } ?? from
        // A page from before a restart of the app would mix its columns with new ones. 204 ends its reconnecting.
        guard position <= end else { return connection.answer(204) }
        position = max(from, position)
        guard
            streams.update({
                $0 += 1; return $0
            }) <= Self.streamLimit
        else {
            streams.update { $0 -= 1 }
            return connection.answer(503, Self.fields)
        }
        defer { streams.update { $0 -= 1 } }
        var diagram = LiveDiagram()
        _ = diagram.rows(of: Array(diary.entries(from: from).entries.prefix(position - from)))
        let head = Self.fields.merging(["Content-Type": "text/event-stream"]) { $1 }
            .map { "\($0): \($1)\r\n" }.joined()
        guard connection.send("HTTP/1.1 200 OK\r\n\(head)\r\n") else { return false }
        diary.follow(pause: 15) {
            let (entries, end) = diary.entries(from: position)
            position = end
            // A comment keeps the connection open, and finds out whether the browser has left.
            guard !entries.isEmpty else { return connection.send(": nothing new\n\n") }
            let rows = diagram.rows(of: entries).replacing("\n", with: " ")
            return connection.send(
                "id: \(end)\ndata: \(diagram.names.count) \(diagram.header)\ndata: \(rows)\n\n")
        }
        return false
    }

    private func answer(
        _ connection: LoopbackServer.Connection, _ type: String, _ text: String, status: Int = 200
    ) -> Bool {
        connection.answer(
            status, Self.fields.merging(["Content-Type": "\(type); charset=utf-8"]) { $1 }, Data(text.utf8))
    }

    /// Waits on the connection's thread for work on the main actor.
    private func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
        let box = Recorded<Value?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task {
            let value = await work()
            box.update { $0 = value }
            done.signal()
        }
        while true {
            done.wait()
            if let value = box.value { return value }
        }
    }
}
