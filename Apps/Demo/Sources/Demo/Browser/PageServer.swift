import Foundation
import Links
import Locking
import Loopback
import Pages

/// Serves pages to a browser on this machine, and streams what happens during each tap.
///
/// Only this machine can connect. Requests for other host names, and posts from other sites, are refused, because a web
/// page could otherwise use the app in its reader's name.
public final class PageServer: Sendable {
    /// The address to open.
    public var address: URL { server.url("/") }
    private let server: LoopbackServer
    private let live: LiveApp?

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free one.
    ///   - tabs: The rows of the navigation bar.
    ///   - diary: The record of the taps.
    ///   - live: The app, whose calls are recorded as long as the server exists; nil for pages without an app.
    ///   - complain: Receives the reasons of failures, which the browser's user does not see.
    ///   - find: Returns the page of an address. The first page has the address "".
    /// - Throws: `POSIXError` if the port is taken.
    init(
        port: Int, tabs: [PageRow], diary: Diary, live: LiveApp? = nil,
        complain: @escaping @Sendable (String) -> Void, find: @escaping PageVisits.Find
    ) async throws {
        self.live = live
        let visits = await PageVisits(diary: diary, complain: complain, find: find)
        await MainActor.run { live?.didLaunch = { [weak visits] in visits?.forgetPages() } }
        let site = PageSite(visits: visits, tabs: tabs, diary: diary)
        server = try LoopbackServer(
            port: port, keepsRequests: false, sizeLimit: 1 << 16, connectionLimit: 32, silenceLimit: 60
        ) { request, connection in site.answer(request, on: connection) }
    }

    /// Closes all connections.
    public func stop() { server.stop() }
}

/// Answers requests.
private struct PageSite {
    let visits: PageVisits
    let tabs: [PageRow]
    let diary: Diary
    private var panel: PanelHTML { PanelHTML(diary: diary) }

    /// Sent with every answer. Pages are not stored, so the back button loads the page again.
    private static let fields = [
        "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
        "Content-Security-Policy": """
        default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; script-src 'self'; connect-src 'self'; \
        img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'
        """,
    ]

    /// Answers a request. Returns whether the connection stays open.
    func answer(_ request: LoopbackServer.Request, on connection: LoopbackServer.Connection) -> Bool {
        func answer(_ type: String, _ text: String, status: Int = 200) -> Bool {
            let fields = Self.fields.merging(["Content-Type": "\(type); charset=utf-8"]) { $1 }
            return connection.answer(status, fields, Data(text.utf8))
        }
        guard isOurs(request) else {
            // Closed, because a page of another site could hold all connections of the app otherwise.
            let fields = Self.fields.merging(["Content-Type": "text/plain", "Connection": "close"]) { $1 }
            _ = connection.answer(403, fields, Data("This app answers only its own pages.\n".utf8))
            return false
        }
        switch (request.method, request.path) {
        case ("GET", "/app.css"): return answer("text/css", BrowserFiles.style + PanelFiles.style)
        case ("GET", "/app.js"): return answer("text/javascript", PanelFiles.script)
        case ("GET", "/calls"): return stream(request, to: connection)
        case ("GET", "/source"):
            let page = SourcePage(query: request.query)
            return answer(
                "text/html", page?.document ?? "This file is not in the checkout.",
                status: page == nil ? 404 : 200)
        case ("GET", _):
            let (html, isFound) = page(request)
            return answer("text/html", html, status: isFound ? 200 : 404)
        case ("POST", _):
            let form = String(decoding: request.body, as: UTF8.self).formValues
            let next = wait { [visits] in await visits.post(form, to: PageAddress(target: request.target)) }
            let target = next.address.target(done: next.done)
            return connection.answer(303, Self.fields.merging(["Location": target]) { $1 })
        default: return connection.answer(405, ["Allow": "GET, POST"])
        }
    }

    /// Whether the request is for this server by its own name, and comes from its own pages or from the user.
    private func isOurs(_ request: LoopbackServer.Request) -> Bool {
        let host = request.fields["host", default: ""]
        let name = host.prefix { $0 != ":" }.lowercased()
        guard name == "127.0.0.1" || name == "localhost" else { return false }
        if let origin = request.fields["origin"] { return origin == "http://\(host)" }
        // Browsers without these fields send the origin with a post.
        let site = request.fields["sec-fetch-site"] ?? "same-origin"
        if site == "same-origin" { return true }
        // A link of another site may open a page, but no frame, image, script or fetch of it may.
        let isLink = request.fields["sec-fetch-dest"] == "document" && request.path != "/calls"
        return request.method == "GET" && (isLink || site == "none")
    }

    /// Returns the HTML of the page at the request's address, and whether there is one.
    private func page(_ request: LoopbackServer.Request) -> (html: String, isFound: Bool) {
        let (address, done) = (PageAddress(target: request.target), request.query.formValues[FormName.done])
        let previous = request.fields["referer"].flatMap { URLComponents(string: $0) }
            .map { PageAddress(target: $0.path + ($0.percentEncodedQuery.map { "?" + $0 } ?? "")) }
        // Browsers that do not say where a request comes from open what other apps may open.
        let origin: Link.Callers = request.fields["sec-fetch-site"] == "same-origin" ? .inside : .outside
        let screen = wait { [visits] in
            await visits.show(address, done: done, from: previous, origin: origin)
        }
        let html = PageHTML(screen: screen, tabs: tabs, panel: panel.panel)
        return (html.document, screen.isFound)
    }

    /// Streams the taps (https://html.spec.whatwg.org/multipage/server-sent-events.html). Each event holds a tap that is new,
    /// or has changed.
    private func stream(_ request: LoopbackServer.Request, to connection: LoopbackServer.Connection) -> Bool {
        let after = request.fields["last-event-id"] ?? request.query.formValues["after"]
        var position = after.flatMap { Int($0) } ?? 0
        // A page from before a restart of the app is ahead of the diary. 204 ends its reconnecting.
        guard position <= diary.version else { return connection.answer(204, Self.fields) }
        let head = Self.fields.merging(["Content-Type": "text/event-stream"]) { $1 }
            .map { "\($0): \($1)\r\n" }.joined()
        guard connection.send("HTTP/1.1 200 OK\r\n\(head)\r\n") else { return false }
        diary.follow(pause: 15) {
            let (changes, version) = diary.changes(since: position)
            position = version
            let groups = changes.filter(\.isShown)
            // A comment keeps the connection open, and finds out whether the browser has left.
            guard !groups.isEmpty else { return connection.send(": nothing new\n\n") }
            // In the order of the changes: a browser whose connection breaks continues after the last one that it got.
            return groups.suffix(PanelHTML.limit).sorted { $0.version < $1.version }.allSatisfy { group in
                connection.send("id: \(group.version)\ndata: \(panel.tap(group, isOpen: true))\n\n")
            }
        }
        return false
    }

    /// Waits on the connection's thread for work on the main actor.
    private func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
        let box = Locked<Value?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task {
            let value = await work()
            box.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        guard let value = box.withLock({ $0 }) else {
            preconditionFailure("the signal came before the value")
        }
        return value
    }
}
