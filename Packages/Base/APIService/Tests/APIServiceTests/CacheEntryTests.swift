import Foundation
import Testing

@testable import APICache
@testable import APIService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Entries of the cache")
struct CacheEntryTests {
    private let date = Date(timeIntervalSince1970: 1_000_000)
    private let request = URLRequest(url: url("http://h/"))

    private func head(_ status: Int, _ fields: [String: String]) throws -> HTTPURLResponse {
        try #require(
            HTTPURLResponse(
                url: url("http://ann:secret@h/"), statusCode: status, httpVersion: nil, headerFields: fields))
    }

    private func make(
        _ status: Int = 200, _ fields: [String: String] = [:], body: String = "1", expires: Date? = nil
    ) throws -> APICacheEntry? {
        APICacheEntry(
            try head(status, fields), body: Data(body.utf8), for: request, stored: date, expires: expires)
    }

    @Test("An entry omits the user of its URL, cookies, and the fields of the connection (RFC 9111, 3.1)")
    func made() throws {
        let entry = try make(
            201,
            [
                "Connection": "X-Hop, x-other", "X-Hop": "1", "X-Other": "2", "Keep-Alive": "3",
                "Set-Cookie": "a=1", "X-Kept": "4",
            ], expires: date + 9)
        let response = try #require(entry?.response)
        #expect(response.url == url("http://h/") && response.statusCode == 201)
        #expect(response.allHeaderFields.count == 1 && response.value(forHTTPHeaderField: "X-Kept") == "4")
        #expect(entry?.stored == date && entry?.expires == date + 9)
    }

    @Test("An entry that another store has made ages from its date of storage")
    func age() throws {
        let entry = try make()
        #expect(entry?.response(at: date + 20)?.value(forHTTPHeaderField: "Age") == "20")
    }

    @Test("Entries are equal if their heads and bodies are")
    func equality() throws {
        let entries = try [
            make(), make(201), make(200, ["X-A": "1"]), make(body: "2"), make(expires: date),
        ]
        let same = try make()
        for (index, entry) in entries.enumerated() {
            #expect(entries.indices.filter { entries[$0] == entry } == [index])
        }
        #expect(entries[0] == same && Set(entries + [same]).count == entries.count)
    }

    @Test(
        "A partial response, and one that no later request may use, has no entry",
        arguments: [
            (206, [:]), (200, ["Cache-Control": "no-store"]), (200, ["Vary": "*"]),
            (200, ["Vary": "Accept, *"]),
        ])
    func unstorable(status: Int, fields: [String: String]) throws { #expect(try make(status, fields) == nil) }

    @Test("A 304 changes no field that describes the stored body (RFC 9111, 3.2)")
    func validated() throws {
        let body = ["Content-Type": "text/plain", "Content-Length": "1"]
        let other = [
            "Content-Type": "text/html", "Content-Length": "0", "Content-Encoding": "gzip",
            "Content-Range": "bytes 0-0/9", "Transfer-Encoding": "chunked", "Set-Cookie": "a=1", "X-A": "2",
        ]
        let entry = try #require(try make(200, body.merging(["X-A": "1", "Age": "7"]) { $1 }))
        let renewed = entry.validated(by: try head(304, other), for: request, stored: date + 5)
        #expect(
            renewed.head.fields == ["content-type": "text/plain", "content-length": "1", "x-a": "2"])
        #expect(renewed.body == entry.body && renewed.stored == date + 5)
    }

    @Test("The cost of a response grows with its body and with the names and the values of its fields")
    func cost() throws {
        func cost(body: Int = 0, name: Int = 1, value: Int = 1) throws -> Int {
            func text(_ count: Int) -> String { String(repeating: "a", count: count) }
            return try #require(try make(200, [text(name): text(value)], body: text(body))).cost
        }
        let least = try cost()
        #expect(least > 2)
        #expect(
            try [cost(body: 100), cost(name: 101), cost(value: 101)] == [100, 100, 100].map { least + $0 })
    }
}
