import APIServiceTesting
import APITransport
import Foundation
import Testing

@testable import AppModules
@testable import Demo

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("The signature of the sample's requests")
struct SignatureTests {
    private let key = Data("key".utf8)
    private let date = Date(timeIntervalSince1970: 1_800_000_000)
    private let server: LoopbackServer
    private let client = URLSessionAPIClient()

    init() throws {
        let signatures = OperatorSignatures(key: key) { [date] in date }
        server = try LoopbackServer { request, connection in
            connection.answer(signatures.accept(request) ? 200 : 403)
        }
    }

    private func request(_ path: String = "/a%20b?n=1", host: String = "127.0.0.1") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://\(host):\(server.port)\(path)")))
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        return request
    }

    private func status(_ request: URLRequest) async -> Int? {
        await withCheckedContinuation { waiter in
            client.createDataRequest(request: request, progressHandler: nil) {
                waiter.resume(returning: $0.response?.statusCode)
            }.resume()
        }
    }

    @Test("The server accepts a signed request once")
    func replay() async throws {
        let signed = try request().signed(with: key, at: date)
        #expect(await status(signed) == 200)
        #expect(await status(signed) == 403)
        #expect(try await status(request().signed(with: key, at: date)) == 200)
        #expect(try await status(request()) == 403)
        #expect(try await status(request().signed(with: Data("other".utf8), at: date)) == 403)
    }

    @Test("A signature expires after a few minutes", arguments: [-301.0, -299, 299, 301])
    func time(seconds: Double) async throws {
        let signed = try request().signed(with: key, at: date + seconds)
        #expect(await status(signed) == (abs(seconds) < 300 ? 200 : 403))
    }

    @Test(
        "A signature covers the host as clients send it: without the default port, and an IPv6 address in brackets",
        arguments: [
            ("http://h:80/a", "h"), ("HTTP://H:80/a", "h"), ("https://h:443/a", "h"),
            ("http://h:443/a", "h:443"), ("https://h:80/a", "h:80"), ("http://[::1]:8080/a", "[::1]:8080"),
            ("http://[::1]:80/a", "[::1]"),
        ])
    func host(address: String, host: String) async throws {
        for (field, expected) in [(host, 200), ("\(host):80", 403)] {
            var signed = URLRequest(url: try #require(URL(string: address))).signed(with: key, at: date)
            signed.url = try request("/a").url
            signed.setValue(field, forHTTPHeaderField: "Host")
            #expect(await status(signed) == expected)
        }
    }

    @Test("A signature is invalid for any other request, at another host, too")
    func altered() async throws {
        let changes: [(inout URLRequest) throws -> Void] = [
            { $0.httpMethod = "PUT" }, { $0.httpBody = Data("other".utf8) },
            { $0.url = try request("/a").url }, { $0.url = try request("/a%20b?n=2").url },
            { $0.url = try request(host: "localhost").url },
            { $0.setValue("1800000001", forHTTPHeaderField: "X-Time") },
            { $0.setValue("2", forHTTPHeaderField: "X-Number") },
            { $0.setValue(nil, forHTTPHeaderField: "X-Number") },
        ]
        for (index, change) in changes.enumerated() {
            var signed = try request().signed(with: key, at: date, number: "1")
            try change(&signed)
            #expect(await status(signed) == 403, "change \(index)")
        }
        #expect(try await status(request().signed(with: key, at: date, number: "1")) == 200)
    }
}
#endif
