import APIServiceTesting
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
extension ProcessTests {
    /// What `URLSession` does wrong on Linux (Swift 6.3), each shown by itself, without this library: why
    /// `URLSessionAPIClient` does what it does. One that is mended there fails here, and its work-around can go.
    @Suite("Faults of URLSession on Linux")
    struct URLSessionFaultTests {
        /// Expects a fault where it is known.
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

        /// Ends this process, as a failure, if it is still there after a while.
        private static func limitTime(seconds: Int = 20) {
            Thread.detachNewThread {
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .seconds(seconds))
                exit(EXIT_FAILURE)
            }
        }

        /// Makes 400 requests, twenty at once, each told its number.
        private static func many(_ request: @escaping @Sendable (_ number: Int) async -> Void) async {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<400 {
                    if number >= 20 { await group.next() }
                    group.addTask { await request(number) }
                }
            }
        }

        @Test("a redirect by 307 loses the body: redirects are followed by the library")
        func redirectedBody() async throws {
            let server = try LoopbackServer.faulty()
            try await onLinux("The body of a 307 is lost") {
                var request = URLRequest(url: server.url("/redirect/307?/echo"))
                request.httpMethod = "POST"
                request.httpBody = Data("body".utf8)
                let (data, _) = try await URLSession.shared.data(for: request)
                #expect(String(decoding: data, as: UTF8.self).hasSuffix("\n\nbody"))
            }
        }

        @Test("a redirect to another origin keeps the credentials: they are dropped by the library")
        func redirectedCredentials() async throws {
            let (server, other) = (try LoopbackServer.faulty(), try LoopbackServer.faulty())
            try await onLinux("Credentials go to another origin") {
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
            "a circle of redirects that a delegate follows ends: the library has a limit of its own all the same"
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

        @Test("a time-out counts in whole seconds, so half a second is none: the library rounds up")
        func timeout() async throws {
            let server = try LoopbackServer { _, connection in
                Thread.sleep(forTimeInterval: 0.5)
                return connection.answer(200)
            }
            try await onLinux("0.9 s count as 0") {
                var request = URLRequest(url: server.url("/"))
                request.timeoutInterval = 0.9
                _ = try await URLSession.shared.data(for: request)
            }
        }

        @Test(
            "a download that is cancelled gives nothing to resume from: the library downloads by data tasks")
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
            try await onLinux("There is no resume data") {
                let data: Data? = await completion { done in task.cancel { done($0) } }
                #expect(data != nil)
            }
        }

        /// A delegate that takes long over the first piece.
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

        @Test("what a delegate is too slow for waits in memory: the other transport is for large streams")
        func backPressure() async throws {
            let delegate = Slow()
            let server = try LoopbackServer { _, connection in
                // More than the sockets' buffers hold. When it has all been taken, nobody was waited for.
                _ = connection.answer(200, [:], Data(count: 64 << 20))
                delegate.release.signal()
                return false
            }
            // A transport that waits is released after a while.
            let queue = DispatchQueue(label: "release")
            let wasReleased = Recorded(false)
            queue.asyncAfter(deadline: .now() + 30) {
                wasReleased.update { $0 = true }
                delegate.release.signal()
            }
            let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
            session.dataTask(with: server.url("/")).resume()
            await delegate.ended.pass()
            try await onLinux("It reads on") { #expect(wasReleased.value) }
            session.finishTasksAndInvalidate()
        }

        @Test("download tasks crash now and then: the library downloads by data tasks")
        func downloads() async throws {
            // What a process that crashes has downloaded is left there.
            let folder = try TemporaryFolder()
            try await onLinux("swift-corelibs-foundation#5469", isIntermittent: true) {
                await #expect(processExitsWith: .success) { [path = folder.path as String] in
                    unsafe setenv("TMPDIR", path, 1)
                    Self.limitTime()
                    let server = try LoopbackServer.faulty()
                    await Self.many { _ in
                        let file = try? await URLSession.shared.download(from: server.url("/file")).0
                        // The caller's, like all that is downloaded so.
                        if let file { try? FileManager.default.removeItem(at: file) }
                    }
                    exit(EXIT_SUCCESS)
                }
            }
        }

        @Test("sessions that come and go crash now and then: the library keeps one a client")
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
            "cancelling many tasks crashes, or leaves some without an end: the library's exchanges end by themselves"
        )
        func cancels() async throws {
            try await onLinux(
                "swift-corelibs-foundation#5412, and a task that is not in its registry", isIntermittent: true
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
