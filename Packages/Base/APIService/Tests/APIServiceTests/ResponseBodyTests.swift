import APIService
import APIServiceTesting
import APITransfers
import APITransport
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Response bodies as sequences", .timeLimit(.minutes(10)))
struct ResponseBodyTests {
    private func service(_ change: @escaping @Sendable (inout APISettings) -> Void = { _ in }) -> APIService {
        APIService(client: URLSessionAPIClient(), config: testSettings(nil) { change(&$0) })
    }

    @Test("Lines arrive while the response is still being sent")
    func lines() async throws {
        let isTaken = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { _, connection in
            // macOS holds back the first 512 bytes of a body that is not JSON.
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
            connection.send("Transfer-Encoding: chunked\r\n\r\n8\r\none\r\nt\u{c3}\r\n")
            isTaken.wait()
            connection.send("9\r\nw\no\n\n\nend\r\n0\r\n\r\n")
            return false
        }
        let body = try await service().body(of: TestRequest(Data.self) { $0.baseURL = server.url("") })
        #expect(body.response.statusCode == 200)
        var lines: [String] = []
        for try await line in body.lines {
            if lines.isEmpty { isTaken.signal() }
            lines.append(line)
        }
        #expect(lines == ["one", "t\u{c3}w", "o", "", "", "end"])
    }

    @Test("The bytes add up to the whole body, and so do the pieces")
    func bytes() async throws {
        let server = try LoopbackServer.faulty()
        let request = TestRequest(Data.self) { ($0.baseURL, $0.path) = (server.url(""), "/file") }
        var bytes = Data()
        for try await byte in try await service().body(of: request).bytes { bytes.append(byte) }
        #expect(bytes == LoopbackServer.fileContent)
        var pieces = Data()
        for try await piece in try await service().body(of: request) { pieces.append(piece) }
        #expect(pieces == LoopbackServer.fileContent)
    }

    @Test(
        "Leaving the loop, an unacceptable status and cancellation each close the connection",
        arguments: [0, 1, 2])
    func leaving(way: Int) async throws {
        let isGone = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer { _, connection in
            connection.send("HTTP/1.1 \(way == 1 ? 404 : 200) S\r\nContent-Type: application/json\r\n")
            connection.send("Content-Length: 9\r\n\r\na\n")
            connection.waitForClose()
            isGone.continuation.finish()
            return false
        }
        let service = service()
        let isRead = Door()
        let task = Task {
            let request = TestRequest(Data.self) { $0.baseURL = server.url("") }
            for try await _ in try await service.body(of: request).lines {
                isRead.open()
                if way == 0 { break }
            }
        }
        if way == 2 {
            await isRead.pass()
            task.cancel()
        }
        for await _ in isGone.stream {}
        let result = await task.result
        if way == 1 {
            guard case .failure(APIError.responseError(.unacceptableStatus(let failure))) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(failure.statusCode == 404)
        }
    }

    @Test(
        "A truncated body and an oversized body end the loop with an error", arguments: ["/cut", "/big"])
    func errors(path: String) async throws {
        let server = try LoopbackServer.faulty()
        let request = TestRequest(Data.self) { ($0.baseURL, $0.path) = (server.url(""), path) }
        let body = try await service { $0.responseLimit = 100_000 }.body(of: request)
        await #expect(throws: APIError.self) { for try await _ in body.lines {} }
    }
}
