import APIService
import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension APIClientConformance {
    static let answers = [
        Check("method, path, query, header fields and body reach the server unchanged") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            let response = await send(
                client,
                request(server.url("/echo?a=1%202&b=%2F")) {
                    $0.httpMethod = "PUT"
                    $0.setValue("One", forHTTPHeaderField: "X-Field")
                    $0.httpBody = Data("body".utf8)
                })
            let text = try text(response)
            try expect(
                text.hasPrefix("PUT /echo?a=1%202&b=%2F\n") && text.contains("\nx-field: One\n")
                    && text.hasSuffix("\n\nbody"), text)
            try expect(
                response.response?.value(forHTTPHeaderField: "content-type") == "text/plain",
                "no Content-Type")
        },
        Check("a response with any status is delivered with its body, and is not an error") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            for status in [200, 201, 204, 304, 400, 401, 404, 429, 500, 503] {
                let response = await send(client, request(server.url("/status/\(status)")))
                let expected = status == 204 || status == 304 ? "" : "status \(status)"
                try expect(response.response?.statusCode == status, "\(status): \(response)")
                try expect(try text(response) == expected, "\(status): \(try text(response))")
            }
        },
        Check("a response to HEAD has a length but no body, and is complete") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            for _ in 1...2 {
                let response = await send(client, request(server.url("/head")) { $0.httpMethod = "HEAD" })
                try expect(try response.result.get().isEmpty, "the response has a body")
                try expect(response.response?.value(forHTTPHeaderField: "Content-Length") == "5", "no length")
            }
        },
        Check("chunked, compressed and large bodies arrive complete") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            try expect(
                try text(await send(client, request(server.url("/chunked")))) == "one two three", "chunked")
            try expect(
                try text(await send(client, request(server.url("/gzip")))) == "hello gzip", "gzip")
            try expect(
                try text(await send(client, request(server.url("/big")))).utf8.count == 1 << 20, "big")
        },
        Check("informational responses are skipped") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            for _ in 1...2 {
                let response = await send(client, request(server.url("/early")))
                try expect(
                    try response.response?.statusCode == 200 && text(response) == "after", "\(response)")
            }
        },
        Check("progress never decreases, ends at the total and precedes the completion") {
            client, front in
            let server = try LoopbackServer.faulty(front: front)
            let seen = Recorded<[APIProgress]>([])
            let response: APIDataResponse = await withCheckedContinuation { waiter in
                client.createDataRequest(
                    request: request(server.url("/big")),
                    progressHandler: { progress in seen.update { $0.append(progress) } },
                    completionHandler: { waiter.resume(returning: $0) }
                ).resume()
            }
            let counts = seen.value.map(\.completed)
            try expect(counts == counts.sorted() && counts.last == 1 << 20, "\(counts)")
            try expect(seen.value.allSatisfy { $0.total == 1 << 20 }, "a total is missing")
            try expect(try response.result.get().count == 1 << 20, "the body is incomplete")
        },
        Check("cookies are not kept, and responses are not cached") { client, front in
            let server = try LoopbackServer(front: front) { request, connection in
                connection.answer(
                    200, ["Set-Cookie": "a=b", "Cache-Control": "max-age=100"],
                    Data((request.fields["cookie"] ?? "none").utf8))
            }
            for _ in 1...2 {
                try expect(
                    try text(await send(client, request(server.url("/")))) == "none", "a cookie was sent")
            }
            try expect(server.requests.count == 2, "a response was cached")
        },
    ]

    static let faults = [
        Check("a body that ends before its declared length is an error") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            for path in ["/cut", "/cut-chunked"] {
                guard case .broken = try failure(await send(client, request(server.url(path)))) else {
                    throw Violation(description: path)
                }
            }
        },
        Check("a damaged compressed body is an error") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            _ = try failure(await send(client, request(server.url("/bad-gzip"))))
        },
        Check("conflicting Content-Length fields are an error") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            for lengths in ["4,6", "6,4"] {
                _ = try failure(await send(client, request(server.url("/lengths?\(lengths)"))))
            }
        },
        Check("a silence longer than the timeout breaks the exchange, but a slow response does not") {
            client, front in
            for path in ["/hang", "/hang-body"] {
                let gone = AsyncStream<Void>.makeStream()
                let server = try LoopbackServer.faulty(front: front) { gone.continuation.finish() }
                var timeout = 0.4
                // On a busy machine, the timeout may expire before the server has received the request. If so, try
                // again with a longer timeout.
                while server.requests.isEmpty {
                    let response = await send(
                        client, request(server.url(path)) { [timeout] in $0.timeoutInterval = timeout })
                    guard isTimeout(response) else {
                        throw Violation(description: "\(path): \(response.result)")
                    }
                    timeout *= 2
                }
                // The timeout must close the connection too.
                for await _ in gone.stream {}
            }
            let server = try LoopbackServer(front: front) { request, connection in
                guard let count = Int(request.path.dropFirst()) else { return connection.answer(200) }
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
                for _ in 0..<count {
                    Thread.sleep(forTimeInterval: 0.05)
                    connection.send("a")
                }
                return true
            }
            _ = try text(await send(client, request(server.url("/")) { $0.timeoutInterval = .infinity }))
            // On a busy machine, this process may itself be silent for longer than a short timeout.
            var timeout = 1.0
            var slow: APIDataResponse
            repeat {
                timeout *= 2
                // The response takes longer than the timeout in total, but is never silent for that long.
                slow = await send(
                    client,
                    request(server.url("/\(Int(timeout * 26))")) { [timeout] in $0.timeoutInterval = timeout }
                )
            } while isTimeout(slow) && timeout < 60
            try expect(try text(slow).utf8.count == Int(timeout * 26), "slow: \(slow.result)")
        },
        Check("a body longer than its declared length is truncated or causes an error") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            let response = await send(client, request(server.url("/long")))
            if case .success(let body) = response.result {
                try expect(body == Data("whole".utf8.prefix(4)), "\(body.count) bytes")
            }
            // The excess bytes must not become part of the next response.
            try expect(
                try text(await send(client, request(server.url("/status/201")))) == "status 201",
                "the bodies are mixed up")
        },
        Check("a dropped connection is an error, and so is a response that is not HTTP") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            for path in ["/drop", "/garbage"] {
                _ = try failure(await send(client, request(server.url(path))))
            }
        },
        Check("a port without a listener is unreachable") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            let address = server.url("/")
            server.stop()
            guard case .unreachable = try failure(await send(client, request(address))) else {
                throw Violation(description: "the error is not `unreachable`")
            }
        },
        Check("a client keeps working after broken connections and invalid responses") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            for path in ["/drop", "/cut", "/garbage", "/long"] {
                _ = await send(client, request(server.url(path)))
            }
            for _ in 1...3 {
                try expect(
                    try text(await send(client, request(server.url("/chunked")))) == "one two three",
                    "the next response is damaged")
            }
        },
    ]

    /// The check for a client whose redirect policy names `X-Session` as a credential.
    public static let namedCredential = Check(
        "a redirect to another origin drops the standard and the configured credential fields"
    ) { client, front in
        try expect(client.credentialFields.contains("x-session"), "\(client.credentialFields)")
        let server = try LoopbackServer.faulty(front: front)
        let other = try LoopbackServer.faulty(front: front)
        for status in [301, 302, 303, 307, 308] {
            for (target, isKept) in [("/echo", true), ("\(other.url("/echo"))", false)] {
                let response = await send(
                    client,
                    request(server.url("/redirect/\(status)?\(target)")) {
                        for field in ["X-Session", "Authorization", "Cookie"] {
                            $0.setValue("secret of \(field)", forHTTPHeaderField: field)
                        }
                        $0.setValue("kept", forHTTPHeaderField: "X-Kept")
                    })
                let text = try text(response)
                for field in ["X-Session", "Authorization", "Cookie"] {
                    try expect(
                        text.contains("secret of \(field)") == isKept, "\(status) to \(target): \(text)")
                }
                try expect(text.contains("x-kept: kept"), "\(status): \(text)")
            }
        }
    }

    static let redirects = [
        Check("a redirect within the same origin is followed with the credentials") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            for status in [301, 302, 303, 307, 308] {
                let response = await send(
                    client,
                    request(server.url("/redirect/\(status)?/echo")) {
                        $0.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
                    })
                try expect(try text(response).contains("authorization: Bearer secret"), "\(status)")
            }
        },
        Check("a redirect to another origin drops the credentials and keeps other fields") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            let other = try LoopbackServer.faulty(front: front)
            for status in [301, 302, 303, 307, 308] {
                let response = await send(
                    client,
                    request(server.url("/redirect/\(status)?\(other.url("/echo"))")) {
                        $0.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
                        $0.setValue("a=secret", forHTTPHeaderField: "Cookie")
                        $0.setValue("kept", forHTTPHeaderField: "X-Kept")
                    })
                let text = try text(response)
                try expect(!text.contains("secret") && text.contains("x-kept: kept"), "\(status): \(text)")
            }
        },
        Check("a redirect drops the fields that validate a response, and a Range that depends on them") {
            client, front in
            let server = try LoopbackServer.faulty(front: front)
            for status in [301, 302, 303, 307, 308] {
                let fields = [
                    "If-None-Match": "\"1\"", "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT",
                    "If-Range": "\"1\"", "Range": "bytes=1-", "X-Kept": "kept",
                ]
                let response = await send(
                    client,
                    request(server.url("/redirect/\(status)?/echo")) {
                        for (name, value) in fields { $0.setValue(value, forHTTPHeaderField: name) }
                    })
                let text = try text(response)
                try expect(text.contains("x-kept: kept"), "\(status) dropped a field: \(text)")
                try expect(
                    !text.contains("\nif-") && !text.contains("\nrange"), "\(status) kept a field: \(text)")
            }
        },
        Check("a 303 redirect becomes a GET, and a 307 keeps the method and the body") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            for (status, expected) in [(303, "GET /echo\n"), (307, "POST /echo\n")] {
                let text = try text(
                    await send(
                        client,
                        request(server.url("/redirect/\(status)?/echo")) {
                            $0.httpMethod = "POST"
                            $0.httpBody = Data("body".utf8)
                        }))
                try expect(
                    text.hasPrefix(expected) && text.hasSuffix("\n\nbody") == (status == 307),
                    "\(status): \(text)")
            }
        },
        Check(
            "a redirect drops the accessories' credentials, and is not followed if a signature must be renewed"
        ) { client, front in
            let server = try LoopbackServer.faulty(front: front)
            let other = try LoopbackServer.faulty(front: front)
            for (target, followed, status) in [
                ("\(other.url("/echo"))", 0, 200), ("/echo", 0, 307), ("/echo", 10, 307),
            ] {
                let url = server.url("/redirect/307?\(target)")
                let rules = RedirectRules(
                    credentialFields: ["x-signature"], hasSecretBody: false, left: url, followed: followed)
                let response = await RedirectRules.$current.withValue(rules) {
                    await send(
                        client,
                        request(url) {
                            $0.setValue("secret", forHTTPHeaderField: "X-Signature")
                            $0.setValue("kept", forHTTPHeaderField: "X-Kept")
                        })
                }
                let text = try text(response)
                try expect(
                    response.response?.statusCode == status && !text.contains("secret")
                        && text.contains("x-kept: kept") == (status == 200), "\(target): \(response)")
                try expect(
                    rules.leavesRedirect == (status == 307 && followed == 0), "\(target): wrongly left")
            }
            let url = server.url("/redirect/307?\(other.url("/echo"))")
            let rules = RedirectRules(hasSecretBody: true, followed: 0)
            let response = await RedirectRules.$current.withValue(rules) {
                await send(
                    client,
                    request(url) { ($0.httpMethod, $0.httpBody) = ("POST", Data("secret".utf8)) })
            }
            try expect(response.response?.statusCode == 307, "a secret body was sent: \(response)")
            try expect(other.requests.count == 1, "\(other.requests.count) requests to the other origin")
        },
        Check("a redirect loop ends") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            _ = await send(client, request(server.url("/loop")))
            try expect(server.requests.count < 50, "\(server.requests.count) requests")
        },
    ]
}
