import APIService
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What every `APIClient` must do, as checks that any test library can run:
///
/// ```swift
/// @Test("conforms", arguments: APIClientConformance.checks)
/// func conforms(check: APIClientConformance.Check) async throws {
///     try await check.run(URLSessionAPIClient())
/// }
/// ```
///
/// Each check has a real server on loopback of its own, which can be slow, wrong and gone.
public enum APIClientConformance {
    /// One check.
    public struct Check: Sendable, CustomStringConvertible {
        /// What the client must do.
        public let description: String
        private let body: Body

        typealias Body =
            @Sendable (any APIStreamingClient, _ front: LoopbackServer.Front.Maker?) async throws -> Void

        init(_ description: String, _ body: @escaping Body) {
            (self.description, self.body) = (description, body)
        }

        /// Checks `client`.
        ///
        /// - Parameters:
        ///   - client: A fresh one.
        ///   - front: Makes what stands before each server of the check: TLS, say.
        /// - Throws: ``Violation``, or what a server or its front could not do.
        public func run(
            _ client: any APIStreamingClient, front: LoopbackServer.Front.Maker? = nil
        ) async throws {
            try await body(client, front)
        }
    }

    /// What a client did wrong.
    public struct Violation: Error, CustomStringConvertible {
        /// What was expected, and what was found.
        public let description: String
    }

    /// All checks.
    public static var checks: [Check] { tasks + answers + faults + redirects + bodies }

    static func expect(_ condition: Bool, _ text: @autoclosure () throws -> String) throws {
        if !condition { throw Violation(description: try text()) }
    }

    static func request(_ url: URL, _ change: (inout URLRequest) -> Void = { _ in }) -> URLRequest {
        var request = URLRequest(url: url)
        change(&request)
        return request
    }

    /// Sends a data request to its end. A second completion is a crash.
    static func send(_ client: any APIClient, _ request: URLRequest) async -> APIDataResponse {
        await withCheckedContinuation { waiter in
            client.createDataRequest(request: request, progressHandler: nil) { waiter.resume(returning: $0) }
                .resume()
        }
    }

    static func text(_ response: APIDataResponse) throws -> String {
        String(decoding: try response.result.get(), as: UTF8.self)
    }

    /// The error that a request must end in.
    static func failure(_ response: APIDataResponse) throws -> APITransportError {
        switch response.result {
        case .failure(let error): return error
        case .success(let body):
            throw Violation(
                description:
                    "a whole answer of \(body.count) bytes, with status \(response.response?.statusCode ?? 0)"
            )
        }
    }

    // MARK: Tasks

    private static let tasks = [
        Check("a task does nothing before resume, and starts once") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            let request = request(server.url("/echo"))
            let count = Recorded(0)
            let _: Bool = await withCheckedContinuation { waiter in
                let task = client.createDataRequest(request: request, progressHandler: nil) { _ in
                    count.update { $0 += 1 }
                    waiter.resume(returning: true)
                }
                count.update { $0 += server.requests.count }
                task.resume()
                task.resume()
            }
            _ = await send(client, request)
            try expect(
                count.value == 1 && server.requests.count == 2, "\(server.requests.count) requests came")
        },
        Check("a task that is cancelled before resume completes with cancelled, and sends nothing") {
            client, front in
            let server = try LoopbackServer.faulty(front: front)
            let response: APIDataResponse = await withCheckedContinuation { waiter in
                let task = client.createDataRequest(
                    request: request(server.url("/echo")), progressHandler: nil
                ) { waiter.resume(returning: $0) }
                task.cancel()
                task.resume()
                task.cancel()
            }
            guard case .cancelled = try failure(response) else {
                throw Violation(description: "\(response.result)")
            }
            try expect(server.requests.isEmpty, "a request came")
        },
        Check("cancelling ends an exchange that hangs, down to the connection, and completes once") {
            client, front in
            for path in ["/hang", "/hang-body"] {
                let gone = AsyncStream<Void>.makeStream()
                let server = try LoopbackServer.faulty(front: front) { gone.continuation.finish() }
                let response: APIDataResponse = await withCheckedContinuation { waiter in
                    let task = client.createDataRequest(
                        request: request(server.url(path)), progressHandler: nil
                    ) { waiter.resume(returning: $0) }
                    task.resume()
                    Thread.detachNewThread {
                        while server.requests.isEmpty { sched_yield() }
                        task.cancel()
                        task.cancel()
                    }
                }
                guard case .cancelled = try failure(response) else {
                    throw Violation(description: "\(path): \(response.result)")
                }
                for await _ in gone.stream {}
            }
        },
        Check("a hundred exchanges at once, a third of them cancelled, complete once each") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            let outcomes = Recorded<[String: Int]>([:])
            await withTaskGroup { group in
                for number in 0..<100 {
                    group.addTask {
                        let response: APIDataResponse = await withCheckedContinuation { waiter in
                            let task = client.createDataRequest(
                                request: request(server.url("/echo")), progressHandler: nil
                            ) { waiter.resume(returning: $0) }
                            task.resume()
                            if number % 3 == 0 { task.cancel() }
                        }
                        let outcome =
                            switch response.result {
                            case .success: "success"
                            case .failure(.cancelled): "cancelled"
                            case .failure(let error): "\(error)"
                            }
                        outcomes.update { $0[outcome, default: 0] += 1 }
                    }
                }
            }
            try expect(
                outcomes.value.keys.allSatisfy { ["success", "cancelled"].contains($0) }
                    && outcomes.value["success", default: 0] >= 66, "\(outcomes.value)")
        },
    ]
}
