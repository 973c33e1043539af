import APIServiceTesting
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
extension ProcessTests {
    /// Bugs in `URLSession` on Linux (Swift 6.3), each reproduced without this library. They explain the
    /// workarounds in `URLSessionAPIClient`. When Foundation fixes a bug that always occurs, its test fails and the
    /// workaround can be removed.
    @Suite(
        "URLSession bugs on Linux",
        .enabled(if: TestLevel.isDeep, "runs with Scripts/test --deep"), .waitLimit)
    struct URLSessionFaultTests {
        /// Expects `body` to show the bug on Linux, and to pass on other platforms.
        private func onLinux(
            _ fault: Comment, isIntermittent: Bool = false, _ body: () async throws -> Void
        ) async throws {
            try await withKnownIssue(fault, isIntermittent: isIntermittent, body) {
                #if os(Linux)
                true
                #else
                false
                #endif
            }
        }

        /// Ends this process with a failure after `seconds`.
        private static func limitTime(seconds: Int = 20) {
            Thread.detachNewThread {
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .seconds(seconds))
                exit(EXIT_FAILURE)
            }
        }

        /// Makes 400 numbered requests, twenty at a time.
        private static func many(_ request: @escaping @Sendable (_ number: Int) async -> Void) async {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<400 {
                    if number >= 20 { await group.next() }
                    group.addTask { await request(number) }
                }
            }
        }

        @Test("URLSession loses the body in a 307 redirect, so the library follows redirects itself")
        func redirectedBody() async throws {
            let server = try LoopbackServer.faulty()
            try await onLinux("A 307 redirect loses the body") {
                var request = URLRequest(url: server.url("/redirect/307?/echo"))
                request.httpMethod = "POST"
                request.httpBody = Data("body".utf8)
                let (data, _) = try await URLSession.shared.data(for: request)
                #expect(String(decoding: data, as: UTF8.self).hasSuffix("\n\nbody"))
            }
        }

        @Test(
            "URLSession forwards credentials when it is redirected to another origin, so the library drops them"
        )
        func redirectedCredentials() async throws {
            let (server, other) = (try LoopbackServer.faulty(), try LoopbackServer.faulty())
            try await onLinux("Credentials are sent to another origin") {
                var request = URLRequest(url: server.url("/redirect/302?\(other.url("/echo"))"))
                request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
                let (data, _) = try await URLSession.shared.data(for: request)
                #expect(!String(decoding: data, as: UTF8.self).contains("secret"))
            }
        }

        /// A delegate that follows every redirect.
        private final class Follower: NSObject, URLSessionTaskDelegate {
            let ended = Door()
            func urlSession(
                _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
            ) {
                ended.open()
            }
            func urlSession(
                _ session: URLSession, task: URLSessionTask,
                willPerformHTTPRedirection response: HTTPURLResponse,
                newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
            ) {
                completionHandler(request)
            }
        }

        @Test(
            "URLSession limits the redirects that a delegate follows; the library also has its own limit"
        )
        func circle() async {
            await #expect(processExitsWith: .success) {
                Self.limitTime()
                let server = try LoopbackServer.faulty()
                let delegate = Follower()
                let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
                session.dataTask(with: server.url("/loop")).resume()
                await delegate.ended.pass()
                exit(server.requests.count < 50 ? EXIT_SUCCESS : EXIT_FAILURE)
            }
        }

        @Test("URLSession answers a request with a late second response to an earlier request")
        func secondResponse() async throws {
            let isFirstRead = DispatchSemaphore(value: 0)
            let isSecondSent = Door()
            let server = try LoopbackServer { request, connection in
                guard request.path == "/first" else { return connection.answer(200, [:], Data("own".utf8)) }
                _ = connection.answer(200, [:], Data("first".utf8))
                isFirstRead.wait()
                defer { isSecondSent.open() }
                return connection.answer(200, [:], Data("other".utf8))
            }
            _ = try await URLSession.shared.data(from: server.url("/first"))
            isFirstRead.signal()
            await isSecondSent.pass()
            try await onLinux("libcurl takes the response from the connection", isIntermittent: true) {
                let (data, _) = try await URLSession.shared.data(from: server.url("/next"))
                #expect(String(decoding: data, as: UTF8.self) == "own")
            }
        }

        @Test("URLSession truncates timeouts to whole seconds, so the library rounds them up")
        func timeout() async throws {
            let arrived = Door()
            let release = DispatchSemaphore(value: 0)
            let server = try LoopbackServer { request, connection in
                if request.path == "/hang" {
                    connection.waitForClose()
                    return false
                }
                arrived.open()
                release.wait()
                return connection.answer(200)
            }
            @Sendable func send(_ path: String, timeout: TimeInterval) async throws {
                var request = URLRequest(url: server.url(path))
                request.timeoutInterval = timeout
                _ = try await URLSession.shared.data(for: request)
            }
            // The server answers this request only after another one has reached its timeout of one second.
            let answer = Task { try await send("/", timeout: 1.9) }
            await arrived.pass()
            await #expect(throws: URLError.self) { try await send("/hang", timeout: 1) }
            release.signal()
            try await onLinux("A timeout of 1.9 s counts as 1 s") { try await answer.value }
        }

        @Test(
            "A cancelled URLSession download has no resume data, so the library downloads with data tasks")
        func resumeData() async throws {
            let begun = Door()
            let server = try LoopbackServer { _, connection in
                connection.send(
                    "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nAccept-Ranges: bytes\r\nContent-Length: 99\r\n\r\nhalf"
                )
                begun.open()
                connection.waitForClose()
                return false
            }
            let task = URLSession.shared.downloadTask(with: server.url("/"))
            task.resume()
            await begun.pass()
            try await onLinux("A cancelled download has no resume data") {
                let data: Data? = await completion { done in task.cancel { done($0) } }
                #expect(data != nil)
            }
        }

        /// A delegate that blocks at the first piece of data until `release` is signalled.
        private final class Slow: NSObject, URLSessionDataDelegate {
            let release = DispatchSemaphore(value: 0)
            let ended = Door()
            func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
                release.wait()
                release.signal()
            }
            func urlSession(
                _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
            ) {
                ended.open()
            }
        }

        @Test(
            "URLSession buffers data in memory for a slow delegate, so large streams need AsyncHTTPAPIClient")
        func backPressure() async throws {
            let delegate = Slow()
            let server = try LoopbackServer { _, connection in
                // The data exceeds the socket buffers, so the server can send all of it only if the client does not
                // wait for its delegate.
                _ = connection.answer(200, [:], Data(count: 64 << 20))
                delegate.release.signal()
                return false
            }
            // If the client waits for its delegate, the delegate is released after 30 seconds.
            let queue = DispatchQueue(label: "release")
            let wasReleased = Recorded(false)
            queue.asyncAfter(deadline: .now() + 30) {
                wasReleased.update { $0 = true }
                delegate.release.signal()
            }
            let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
            session.dataTask(with: server.url("/")).resume()
            await delegate.ended.pass()
            try await onLinux("The client keeps reading") { #expect(wasReleased.value) }
            session.finishTasksAndInvalidate()
        }

        @Test("URLSession download tasks crash occasionally, so the library downloads with data tasks")
        func downloads() async throws {
            // Crashed processes leave their downloads in this folder, which is deleted after the test.
            let folder = try TemporaryFolder()
            try await onLinux("swift-corelibs-foundation#5469", isIntermittent: true) {
                await #expect(processExitsWith: .success) { [path = folder.path as String] in
                    unsafe setenv("TMPDIR", path, 1)
                    Self.limitTime()
                    let server = try LoopbackServer.faulty()
                    await Self.many { _ in
                        let file = try? await URLSession.shared.download(from: server.url("/file")).0
                        // The caller owns the downloaded file and must delete it.
                        if let file { try? FileManager.default.removeItem(at: file) }
                    }
                    exit(EXIT_SUCCESS)
                }
            }
        }

        @Test(
            "Creating and invalidating URLSessions crashes occasionally, so the library keeps one per client")
        func sessions() async throws {
            try await onLinux("swift-corelibs-foundation#5203, #4791", isIntermittent: true) {
                await #expect(processExitsWith: .success) {
                    Self.limitTime()
                    let server = try LoopbackServer.faulty()
                    await Self.many { number in
                        let session = URLSession(configuration: .ephemeral)
                        _ = try? await session.data(
                            from: server.url(number % 2 == 0 ? "/echo" : "/drop"))
                        session.invalidateAndCancel()
                    }
                    exit(EXIT_SUCCESS)
                }
            }
        }

        @Test(
            "Cancelled URLSession tasks may crash or never complete, so the library completes exchanges itself"
        )
        func cancels() async throws {
            try await onLinux(
                "swift-corelibs-foundation#5412, and a task that is missing from the session's registry",
                isIntermittent: true
            ) {
                await #expect(processExitsWith: .success) {
                    Self.limitTime(seconds: 5)
                    let server = try LoopbackServer.faulty()
                    await Self.many { number in
                        let task = Task {
                            _ = try? await URLSession.shared.data(
                                from: server.url(number % 2 == 0 ? "/hang-body" : "/echo"))
                        }
                        for _ in 0..<number { await Task.yield() }
                        task.cancel()
                        await task.value
                    }
                    exit(EXIT_SUCCESS)
                }
            }
        }
    }
}
#endif
