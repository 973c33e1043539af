import APIService
import APIServiceTesting
import APITransfers
import Foundation
import TestSupport
import Testing

@testable import APITransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The size limit of responses", .timeLimit(.minutes(10)), .waitLimit)
struct ResponseLimitTests {
    /// 100,000 zeros, compressed.
    private static let bomb = Data(
        base64Encoded: "H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AIBXA32VEdSghgEA")

    enum Way: CaseIterable { case data, upload, plainClient, declared }

    @Test(
        "A response that exceeds the limit ends immediately with an error and is not retried",
        arguments: Way.allCases)
    func limit(way: Way) async throws {
        let bomb = try #require(Self.bomb)
        let server = try LoopbackServer { request, connection in
            if request.path == "/small" { return connection.answer(200, [:], Data(count: 10_000)) }
            if way != .declared { return connection.answer(200, ["Content-Encoding": "gzip"], bomb) }
            // The server never sends the rest, so the exchange ends only if the client stops early.
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n")
            connection.send(Data(count: 10_001))
            connection.waitForClose()
            return false
        }
        let streaming = URLSessionAPIClient()
        let client: any APIClient = way == .plainClient ? PlainClient(client: streaming) : streaming
        let service = APIService(
            client: client,
            config: testSettings {
                $0.responseLimit = 10_000
                $0.retry = APIRetryPolicy(maximumAttempts: 3, baseDelay: .zero)
            })
        let request = TestRequest(Data.self) {
            $0.baseURL = server.url("")
            if way == .upload { ($0.method, $0.taskType) = (.put, .upload(.data(Data("body".utf8)))) }
        }
        #expect(await service.response(to: request).result.error == .responseError(.tooLarge(10_000)))
        #expect(server.requests.count == 1)
        var small = request
        small.path = "/small"
        #expect(try await service.sendRequest(small).count == 10_000)
        service.config.update { $0.responseLimit = nil }
        if way != .declared { #expect(try await service.sendRequest(request).count == 100_000) }
    }

    @Test("A body that has exceeded its limit keeps no further piece")
    func dropped() {
        var body = StreamedBody(limit: 3)
        for size in [3, 1, 2] { body.write(Data(count: size)) }
        #expect(body.failure is TooLarge && body.other.isEmpty)
    }

    @Test("The indices of a body begin at 0, even if those of its pieces do not")
    func indices() {
        var body = StreamedBody(limit: nil)
        body.write(Data([0, 1, 2]).dropFirst())
        #expect(body.other.startIndex == 0 && body.other == Data([1, 2]))
    }

    @Test(
        "A compressed body that ends before its declared length, or without its last chunk, is an error",
        arguments: ["Content-Length", "Transfer-Encoding"])
    func cut(field: String) async throws {
        let bomb = try #require(Self.bomb)
        let server = try LoopbackServer { _, connection in
            let isChunked = field == "Transfer-Encoding"
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n")
            connection.send("\(field): \(isChunked ? "chunked" : "\(bomb.count)")\r\n\r\n")
            if isChunked { connection.send("\(String(bomb.count, radix: 16))\r\n") }
            return connection.sendLast(bomb.dropLast(20))
        }
        let service = APIService(client: URLSessionAPIClient(), config: testSettings())
        let response = await service.response(to: TestRequest(Data.self) { $0.baseURL = server.url("") })
        guard case .connectionError = response.result.error else {
            Issue.record("\(response.result)")
            return
        }
    }

    @Test(
        "The limit applies to the body of a failed download, and the existing file stays unchanged",
        arguments: [false, true])
    func download(resumes: Bool) async throws {
        let server = try LoopbackServer { _, connection in
            // The server never sends the rest, so the exchange ends only if the client stops early.
            connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 99999\r\n\r\n")
            connection.send(Data(count: 10_001))
            connection.waitForClose()
            return false
        }
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        try Data("old".utf8).write(to: file)
        let partial = resumes ? folder.url.appendingPathComponent("part") : nil
        let request = TestRequest(APIDownloadedFile.self) {
            $0.baseURL = server.url("")
            $0.taskType = .download(APIDownload(to: file, partial: partial))
        }
        let service = APIService(
            client: URLSessionAPIClient(), config: testSettings { $0.responseLimit = 10_000 })
        #expect(await service.response(to: request).result.error == .responseError(.tooLarge(10_000)))
        #expect(try Data(contentsOf: file) == Data("old".utf8))
    }
}
