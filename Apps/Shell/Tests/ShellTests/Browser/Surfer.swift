import APIServiceTesting
import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A person with a browser without scripts: follows links, fills in forms, and sees one page at a time.
final class Surfer: Sendable {
    /// The answer to a request, after its redirects.
    struct Answer: Sendable {
        let status: Int
        let url: URL
        let html: String
        let fields: [String: String]
    }

    private let start: URL
    /// The origin that a browser sends with the posts of this app's pages.
    var origin: String { "http://127.0.0.1:\(start.port ?? 0)" }
    private let session: URLSession
    private let current = Recorded<Answer?>(nil)

    init(at start: URL) {
        self.start = start
        session = URLSession(configuration: .ephemeral)
    }

    deinit { session.invalidateAndCancel() }

    /// The HTML of the page that is open.
    var html: String { current.value?.html ?? "" }

    /// The text of the page, without the HTML and the panel.
    var text: String {
        let page = html.firstMatch(of: /(?s)<main.*?<\/main>/)?.output ?? ""
        let text = page.replacing(/<(input|option)[^>]*>/, with: "").replacing(/<[^>]*>/, with: " ")
        return String(text).unescaped.split(separator: " ").joined(separator: " ")
    }

    /// The titles and the lines of the panel.
    var calls: [String] {
        let panel = html.split(separator: "id=\"live\"").dropFirst().joined()
        return panel.matches(of: /(?s)<summary>(.*?)<\/summary>|<li[^>]*>(.*?)<\/li>/).map {
            String($0.output.1 ?? $0.output.2 ?? "").replacing(/<[^>]*>/, with: "").unescaped
        }
    }

    /// Opens a page, as from a bookmark or a link on the page that is open.
    @discardableResult
    func open(_ path: String) async throws -> Answer {
        let answer = try await send(path)
        current.update { $0 = answer }
        return answer
    }

    /// Follows the link with this text.
    func follow(_ link: String) async throws {
        let links = html.matches(of: /(?s)<a href="([^"]*)"[^>]*>(.*?)<\/a>/)
        let found = try #require(
            links.first { $0.output.2.replacing(/<[^>]*>/, with: " ").contains(link) }, "no link '\(link)'")
        try await open(String(found.output.1).unescaped)
    }

    /// Logs the sample's passenger in, on the page of the account.
    func logIn() async throws {
        try await open("/account")
        try await tap("Log in", ["phone": "13800138000", "password": "correct horse"])
    }

    /// Agrees to the terms and opens the service for the passenger.
    func openService() async throws {
        try await open("/open-the-service")
        try await tap("Open the service", ["terms": "on"])
    }

    /// Taps the button with this text, after filling in the fields of its form.
    func tap(_ button: String, _ fields: [String: String] = [:]) async throws {
        let form = try form(of: button, fields)
        let answer = try await send(form.action, form.body)
        current.update { $0 = answer }
    }

    /// The path and the body that a tap on a button posts.
    func form(of button: String, _ fields: [String: String] = [:]) throws -> (action: String, body: String) {
        let forms = html.matches(of: /(?s)<form method="post" action="([^"]*)">(.*?)<\/form>/)
        let form = try #require(
            forms.first {
                ($0.output.2.firstMatch(of: /(?s)<button.*/)?.output ?? "").unescaped.contains(button)
            }, "no button '\(button)' on the page: \(text)")
        var values: [String: String] = [:]
        for input in form.output.2.matches(of: /name="([^"]*)"[^>]* value="([^"]*)"/)
        where !input.output.0.contains(/type="(checkbox|radio)"/) {
            values[String(input.output.1)] = String(input.output.2).unescaped
        }
        for radio in form.output.2.matches(of: /name="([^"]*)" type="radio" value="([^"]*)" checked/) {
            values[String(radio.output.1)] = String(radio.output.2).unescaped
        }
        for select in form.output.2.matches(of: /(?s)<select[^>]*name="([^"]*)".*?<option[^>]*>([^<]*)/) {
            values[String(select.output.1)] = String(select.output.2).unescaped
        }
        for (name, value) in fields {
            try #require(form.output.2.contains("name=\"\(name)\""), "the form of '\(button)' has no \(name)")
            values[name] = value
        }
        let body = values.map { "\($0.formEncoded)=\($1.formEncoded)" }.joined(separator: "&")
        return (String(form.output.1).unescaped, body)
    }

    /// Sends a request without opening its answer.
    func send(
        _ path: String, _ body: String? = nil, _ fields: [String: String] = [:]
    ) async throws -> Answer {
        var request = URLRequest(url: try #require(URL(string: path, relativeTo: start)).absoluteURL)
        if let body {
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }
        if let url = current.value?.url {
            request.setValue(url.absoluteString, forHTTPHeaderField: "Referer")
        }
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await session.data(for: request)
        let answer = try #require(response as? HTTPURLResponse)
        return Answer(
            status: answer.statusCode, url: answer.url ?? start, html: String(decoding: data, as: UTF8.self),
            fields: answer.allHeaderFields.reduce(into: [:]) { $0["\($1.key)".lowercased()] = "\($1.value)" })
    }
}

extension StringProtocol {
    /// The text with the entities of HTML replaced by their characters.
    fileprivate var unescaped: String {
        String(self).replacing(/&#(\d+);/) { UInt32($0.1).flatMap(UnicodeScalar.init).map(String.init) ?? "" }
    }

    fileprivate var formEncoded: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
