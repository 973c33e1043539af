import APIService
import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Checks of responses that a correct server does not send, or seldom sends.
extension APIClientConformance {
    static let hostile = [
        Check("a response without a body may have a Content-Encoding") { client, front in
            let server = try LoopbackServer(front: front) { request, connection in
                let status = Int(request.path.dropFirst()) ?? 200
                guard request.method == "HEAD" else {
                    return connection.answer(status, ["Content-Encoding": "gzip"])
                }
                return connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 30\r\n\r\n")
            }
            for (method, status) in [("HEAD", 200), ("GET", 200), ("GET", 204), ("GET", 304), ("GET", 404)] {
                let response = await send(
                    client, request(server.url("/\(status)")) { $0.httpMethod = method })
                try expect(
                    try response.response?.statusCode == status && response.result.get().isEmpty,
                    "\(method) \(status): \(response)")
                try expect(
                    response.response?.value(forHTTPHeaderField: "Content-Encoding") == "gzip",
                    "\(method) \(status): no Content-Encoding")
            }
        },
        Check("the case of a content coding does not matter, and x-gzip is gzip") { client, front in
            let server = try LoopbackServer(front: front) { request, connection in
                connection.answer(
                    200, ["Content-Encoding": String(request.path.dropFirst())], LoopbackServer.gzip)
            }
            for coding in ["gzip", "GZIP", "x-gzip", "X-Gzip"] {
                try expect(
                    try text(await send(client, request(server.url("/\(coding)")))) == "hello gzip", coding)
            }
        },
        Check("a response that ends after its head is truncated, and is not a closed connection") {
            client, front in
            for coding in ["", "Content-Encoding: gzip\r\n"] {
                let server = try LoopbackServer(front: front) { _, connection in
                    connection.sendLast("HTTP/1.1 200 OK\r\n\(coding)Content-Length: 10\r\n\r\n")
                }
                guard case .broken(let error) = try failure(await send(client, request(server.url("/")))),
                    !(error is APIClosedConnection)
                else {
                    throw Violation(description: "\(coding): the error is not `broken`")
                }
                try expect(server.requests.count == 1, "\(coding): \(server.requests.count) requests")
            }
        },
        Check("an informational response without a final one is an error") { client, front in
            for status in ["100 Continue", "103 Early Hints", "199 Wait"] {
                let server = try LoopbackServer(front: front) { _, connection in
                    connection.sendLast("HTTP/1.1 \(status)\r\n\r\n")
                }
                _ = try failure(await send(client, request(server.url("/"))))
            }
        },
        Check("a status below 100 is an error") { client, front in
            let server = try LoopbackServer(front: front) { request, connection in
                connection.send("HTTP/1.1 \(request.path.dropFirst()) OK\r\nContent-Length: 1\r\n\r\na")
            }
            for status in ["000", "099"] {
                _ = try failure(await send(client, request(server.url("/\(status)"))))
            }
        },
        Check("a redirect without a usable host, port or scheme is not followed") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            for location in [
                "http://127.0.0.1:65536/", "http://127.0.0.1:99999999999999999999/", "http://127.0.0.1:0/",
                "http:///echo", "ftp://127.0.0.1/", "mailto:a@example.com", "file:///etc/hosts",
            ] {
                let response = await send(client, request(server.url("/redirect/302?\(location)")))
                try expect(
                    try response.response?.statusCode == 302 && response.result.get().isEmpty,
                    "\(location): \(response)")
            }
        },
        Check("a scheme may be in upper case, in a request and in a redirect") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            let address = server.url("/echo").absoluteString
            let scheme = address.prefix { $0 != ":" }
            guard let upper = URL(string: scheme.uppercased() + address.dropFirst(scheme.count)) else {
                throw Violation(description: "no URL")
            }
            for url in [upper, server.url("/redirect/302?\(upper)")] {
                let text = try text(await send(client, request(url)))
                try expect(text.hasPrefix("GET /echo\n"), "\(url): \(text)")
            }
        },
        Check("two Location fields are read as one, with a comma between them") { client, front in
            let server = try LoopbackServer(front: front) { request, connection in
                guard request.path == "/" else {
                    return connection.answer(200, [:], Data(request.target.utf8))
                }
                return connection.send(
                    "HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
            }
            let text = try text(await send(client, request(server.url("/"))))
            try expect(text == "/a,%20/b", text)
        },
        Check("a redirect with a user name sends no credentials") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            let other = try LoopbackServer.faulty(front: front)
            let target = other.url("/echo").absoluteString.replacing("://", with: "://user:password@")
            let text = try text(await send(client, request(server.url("/redirect/302?\(target)"))))
            try expect(text.hasPrefix("GET /echo\n") && !text.contains("authorization"), text)
        },
        Check("a URL with an invalid port is a local error") { client, _ in
            guard let url = URL(string: "http://127.0.0.1:65536/") else {
                throw Violation(description: "no URL")
            }
            guard case .local = try failure(await send(client, request(url))) else {
                throw Violation(description: "the error is not `local`")
            }
        },
        Check("an upload of a missing file or of a folder is a local error, and sends nothing") {
            client, front in
            let server = try LoopbackServer.faulty(front: front)
            let folder = FileManager.default.temporaryDirectory
            for file in [folder.appendingPathComponent("conformance-missing-\(UUID().uuidString)"), folder] {
                guard case .local = await upload(client, server, .file(file)).error else {
                    throw Violation(description: "\(file.lastPathComponent): the error is not `local`")
                }
            }
            try expect(server.requests.isEmpty, "the server received a request")
        },
        Check("a sequence that can be read only once is never sent without its first bytes") {
            client, front in
            let server = try LoopbackServer.faulty(front: front)
            for length in [nil, Int64(300_000)] {
                let once = AsyncStream { continuation in
                    for number in UInt8(0)..<30 { continuation.yield(Data(repeating: number, count: 10_000)) }
                    continuation.finish()
                }
                let body = APIUpload.stream(length: length) { once }
                // The client either keeps the bytes for the redirected request, or fails.
                let (error, answer) = await upload(client, server, body, path: "/redirect/307?/echo")
                if let error {
                    guard case .local(is APIUploadChanged) = error else {
                        throw Violation(description: "the error is not `local`: \(error)")
                    }
                } else {
                    try expect(answer.count > 300_000, "the server got \(answer.count) bytes")
                }
            }
        },
    ]
}
