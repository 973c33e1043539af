import APIServiceTesting
import APITransport
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
extension ProcessTests {
    /// Responses that end the process on Linux (Swift 6.3), because of bugs in FoundationNetworking. The library cannot
    /// prevent them: the session reads the response, and calls no delegate before it ends the process.
    @Suite(
        "Responses that end the process of URLSession on Linux",
        .enabled(if: TestLevel.isDeep, "runs with Scripts/test --deep"), .waitLimit)
    struct URLSessionHostileTests {
        /// Prevents the backtrace of a crash, which takes seconds.
        private static func hideCrashes() { for number in [SIGILL, SIGTRAP] { signal(number, SIG_DFL) } }

        #if os(Linux)
        @Test(
            "A response ends the process, so AsyncHTTPAPIClient is the recommended client",
            arguments: [
                ("HTTP/1.1 200 OK\r\n", "there's no response"),
                (
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n",
                    "there's no response"
                ),
                ("HTTP/1.1 302 Found\r\nLocation: //[::1]/\r\nContent-Length: 0\r\n\r\n", "Invalid URL"),
                ("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n", nil),
                (
                    "HTTP/1.1 206 Partial\r\nContent-Range: bytes 4-9/10\r\n"
                        + "Content-Length: 9223372036854775807\r\n\r\n", nil
                ),
            ] as [(String, String?)])
        func crash(response: String, message: String?) async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [response = response as String] in
                Self.hideCrashes()
                let server = try LoopbackServer { _, connection in
                    connection.sendLast(response)
                }
                _ = try? await URLSession.shared.data(from: server.url("/"))
                exit(EXIT_SUCCESS)
            }
            let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            // An overflow in an optimised library has no message.
            if let message { #expect(text.contains(message), "\(text)") }
        }

        private func error(of response: Data, timeout: TimeInterval = 20) async throws -> URLError.Code? {
            let server = try LoopbackServer { _, connection in
                connection.send(response)
                connection.waitForClose()
                return false
            }
            var request = URLRequest(url: server.url("/"))
            request.timeoutInterval = timeout
            do {
                _ = try await URLSession.shared.data(for: request)
                return nil
            } catch {
                return (error as? URLError)?.code
            }
        }

        @Test(
            "An IPv6 address is an invalid URL, a header byte that is not UTF-8 is an error, and a redirect waits for its body"
        )
        func refused() async throws {
            let refused = await #expect(throws: URLError.self) {
                try await URLSession.shared.data(from: url("http://[::1]:1/"))
            }
            #expect(refused?.code == .badURL)
            let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Field: ".utf8)
            #expect(try await error(of: head + Data([0xe4]) + Data("\r\n\r\n".utf8)) != nil)
            #expect(try await error(of: head + Data("ä\r\n\r\n".utf8)) == nil)
            let redirect = "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 9\r\n\r\n"
            #expect(try await error(of: Data(redirect.utf8), timeout: 1) == .timedOut)
        }

        @Test("Cookies are sent although they are Secure, deleted or for other paths")
        func cookies() async throws {
            let fields = ["a=1; Secure", "b=1; Max-Age=0", "c=1; Path=/other"].map { "Set-Cookie: \($0)\r\n" }
            let server = try LoopbackServer { _, connection in
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(fields.joined())\r\n")
            }
            let session = URLSession(configuration: .ephemeral)
            for _ in 1...2 { _ = try await session.data(from: server.url("/")) }
            let sent = server.requests.last?.fields["cookie"]?.split(separator: "; ").sorted()
            #expect(sent == ["a=1", "b=1", "c=1"])
            session.finishTasksAndInvalidate()
        }
        #endif

        @Test(
            "Of 500 mutated responses, only those that meet a known bug of FoundationNetworking end the process"
        )
        func mutated() async throws {
            let folder = try TemporaryFolder()
            let (numbers, errors) = (folder.file("numbers"), folder.file("errors"))
            try Data().write(to: numbers)
            try Data().write(to: errors)
            var next = 0
            while next < 500 {
                await withKnownIssue("FoundationNetworking ends the process", isIntermittent: true) {
                    await #expect(processExitsWith: .success) {
                        [
                            first = next as Int, numbers = numbers.path as String,
                            errors = errors.path as String
                        ] in
                        Self.hideCrashes()
                        let messages = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
                        try messages.seekToEnd()
                        dup2(messages.fileDescriptor, STDERR_FILENO)
                        let log = try FileHandle(forWritingTo: URL(fileURLWithPath: numbers))
                        try await MutatedResponses(seed: 36).send(
                            to: URLSessionAPIClient(), numbers: first..<500
                        ) {
                            try log.seek(toOffset: 0)
                            try log.write(contentsOf: Data("\($0)\n".utf8))
                        }
                        exit(EXIT_SUCCESS)
                    }
                } when: {
                    #if os(Linux)
                    true
                    #else
                    false
                    #endif
                }
                let line = try String(contentsOf: numbers, encoding: .utf8).prefix { $0 != "\n" }
                let last = try #require(Int(line))
                try #require(last >= next, "No response was sent.")
                next = last + 1
            }
            let messages = try String(contentsOf: errors, encoding: .utf8).matches(of: /Fatal error: (.*)/)
            let unknown = messages.map { String($0.1) }.filter {
                !["Transfer completed, but there's no response.", "Invalid URL"].contains($0)
            }
            #expect(unknown == [])
            print("URLSession: \(messages.count) of 500 mutated responses met a fatalError")
        }
    }
}
#endif
