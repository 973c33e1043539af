import APIService
import APITransfers
import APITransport
import Foundation
import Loopback

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Checks of responses whose body has another form than their head says.
extension APIClientConformance {
    static let malformed = [
        Check("bytes in a coding that the client does not know are an error, not a body") { client, front in
            let server = try LoopbackServer(front: front) { request, connection in
                let codings = request.query.split(separator: ";").map { "\($0)\r\n" }.joined()
                connection.send(Data("HTTP/1.1 200 OK\r\n\(codings)Connection: close\r\n\r\n".utf8))
                return connection.sendLast(LoopbackServer.gzip)
            }
            // The body has the coding gzip, once.
            for codings in [
                "Content-Encoding:br", "Content-Encoding:unknown", "Content-Encoding:deflate,gzip",
                "Content-Encoding:gzip,gzip", "Content-Encoding:gzip;Content-Encoding:gzip",
                "Content-Encoding:gzip;Content-Encoding:unknown", "Transfer-Encoding:unknown",
                "Transfer-Encoding:gzip,unknown", "Transfer-Encoding:chunked,unknown",
            ] {
                let response = await send(client, request(server.url("/?\(codings)")))
                // A front for HTTP/2 removes the field, because HTTP/2 has no transfer codings (RFC 9113, 8.2.2).
                let transfer = response.response?.value(forHTTPHeaderField: "Transfer-Encoding") ?? ""
                if front != nil, codings.hasPrefix("Transfer"), !transfer.contains("unknown") { continue }
                _ = try failure(response, codings)
            }
        },
        Check("the coding identity is none, and a list may contain it") { client, front in
            let server = try LoopbackServer(front: front) { request, connection in
                let isCoded = request.query.contains("gzip")
                return connection.answer(
                    200, ["Content-Encoding": request.query],
                    isCoded ? LoopbackServer.gzip : Data("plain".utf8))
            }
            for (coding, expected) in [("identity", "plain"), ("identity,gzip", "hello gzip"), ("", "plain")]
            {
                let text = try text(await send(client, request(server.url("/?\(coding)"))))
                try expect(text == expected, "\(coding): \(text)")
            }
        },
        Check("the fields of an informational response do not change how the final response is read") {
            client, front in
            for field in ["Content-Encoding: gzip", "Content-Length: 9", "Transfer-Encoding: chunked"] {
                let server = try LoopbackServer(front: front) { _, connection in
                    connection.send(
                        "HTTP/1.1 103 Early Hints\r\n\(field)\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                    )
                }
                let response = await send(client, request(server.url("/")))
                try expect(try text(response) == "ok", "\(field): \(response)")
            }
        },
        Check("a Content-Length that is not a number is an error") { client, front in
            for length in ["0x15", "5x", "-5", "+5", "five", "5 5", "1e1"] {
                let server = try LoopbackServer(front: front) { _, connection in
                    connection.sendLast("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nhello")
                }
                _ = try failure(await send(client, request(server.url("/"))), length)
            }
        },
        Check("a response that is not HTTP breaks the exchange, which may be tried again") { client, front in
            for text in [
                "SSH-2.0-server\r\n", "<html></html>", "ICY 200 OK\r\n\r\n", "\u{16}\u{3}\u{1}",
                "200 OK\r\n\r\n",
            ] {
                let server = try LoopbackServer(front: front) { _, connection in
                    connection.sendLast(text)
                }
                guard case .broken = try failure(await send(client, request(server.url("/"))), text) else {
                    throw Violation(description: "\(text): the error is not `broken`")
                }
            }
        },
        Check("a download asks for a body without a coding, so that its length can be checked") {
            client, front in
            let server = try LoopbackServer.faulty(front: front)
            try await withFile(Data()) { file in
                let _: APIDownloadResponse = await withCheckedContinuation { waiter in
                    client.createDownloadRequest(
                        request: request(server.url("/file")), to: { _ in file }, progressHandler: nil
                    ) { waiter.resume(returning: $0) }.resume()
                }
            }
            try expect(server.requests.last?.fields["accept-encoding"] == "identity", "\(server.requests)")
        },
        Check("a download ends when its file is larger than its limit, and leaves no file") { client, front in
            let server = try LoopbackServer(front: front) { request, connection in
                let isDeclared = request.path == "/declared"
                connection.send(
                    "HTTP/1.1 200 OK\r\nETag: \"1\"\r\n\(isDeclared ? "Content-Length: 99999\r\n" : "")\r\n")
                if !isDeclared { connection.send(Data(count: 10_001)) }
                // The client must not wait for the rest.
                connection.waitForClose()
                return false
            }
            for path in ["/declared", "/undeclared"] {
                try await withFile(Data("old".utf8)) { file in
                    let partial = file.appendingPathExtension("part")
                    let transfer = Transfer(
                        baseURL: server.url(path),
                        taskType: .download(APIDownload(to: file, partial: partial, limit: 10_000)))
                    let error = await service(client).response(to: transfer).result.error
                    try expect(
                        error == .responseError(.tooLarge(10_000)), "\(path): \(String(describing: error))")
                    try expect(
                        try Data(contentsOf: file) == Data("old".utf8), "\(path): the file was damaged")
                    try expect(
                        !FileManager.default.fileExists(atPath: partial.path), "\(path): a part is left")
                }
            }
        },
        Check("an upload that cannot be read again does not hide the response to its first attempt") {
            client, front in
            let server = try LoopbackServer(front: front) { request, connection in
                connection.answer(503, [:], request.body.prefix(4))
            }
            let once = AsyncStream { continuation in
                continuation.yield(Data("once".utf8))
                continuation.finish()
            }
            let transfer = Transfer(
                baseURL: server.url("/"), method: .put,
                retry: APIRetryPolicy(maximumAttempts: 3, baseDelay: .zero),
                taskType: .upload(.stream { once }))
            guard
                case .responseError(.unacceptableStatus(let failure)) = await service(client)
                    .response(to: transfer).result.error, failure.statusCode == 503,
                failure.body == Data("once".utf8)
            else { throw Violation(description: "the error is not the server's 503") }
        },
    ]

    private struct Transfer: APIRequest {
        typealias Response = Data
        let baseURL: URL
        let path = ""
        var method = APIRequestMethod.get
        var retry: APIRetryPolicy?
        let taskType: APIRequestTaskType
    }
}
