import APIService
import APITransport
import Foundation
import Loopback

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Checks of the `APIClient` contract, which any test library can run:
///
/// ```swift
/// @Test("conforms", arguments: APIClientConformance.checks)
/// func conforms(check: APIClientConformance.Check) async throws {
///     try await check.run(URLSessionAPIClient())
/// }
/// ```
///
/// Each check starts its own loopback server, which may respond slowly, incorrectly or not at all.
public enum APIClientConformance {
    /// A check of one requirement.
    public struct Check: Sendable, CustomStringConvertible {
        /// The requirement that the check verifies.
        public let description: String
        private let body: Body

        typealias Body =
            @Sendable (any APIStreamingClient, _ front: LoopbackServer.Front.Maker?) async throws -> Void

        init(_ description: String, _ body: @escaping Body) {
            (self.description, self.body) = (description, body)
        }

        /// Runs the check.
        ///
        /// - Parameters:
        ///   - client: A new client.
        ///   - front: Creates a front end for each server of the check, for example for TLS.
        /// - Throws: ``Violation``, or an error of a server or its front.
        public func run(
            _ client: any APIStreamingClient, front: LoopbackServer.Front.Maker? = nil
        ) async throws {
            try await body(client, front)
        }
    }

    /// A violation of the contract.
    public struct Violation: Error, CustomStringConvertible {
        /// The behavior that violates the contract.
        public let description: String
    }

    /// All checks except ``namedCredential``, which requires a client with a custom credential field.
    public static var checks: [Check] {
        tasks + answers + faults + redirects + bodies + hostile + malformed + ranges
    }

    static func expect(_ condition: Bool, _ text: @autoclosure () throws -> String) throws {
        if !condition { throw Violation(description: try text()) }
    }

    static func request(_ url: URL, _ change: (inout URLRequest) -> Void = { _ in }) -> URLRequest {
        var request = URLRequest(url: url)
        change(&request)
        return request
    }

    /// Sends a data request and waits until it ends. If the connection has closed before a response, sends the request
    /// again, as a service does. A second completion crashes the test process.
    static func send(_ client: any APIClient, _ request: URLRequest) async -> APIDataResponse {
        let method = APIRequestMethod(rawValue: request.httpMethod ?? "GET")
        var resends = 0
        while true {
            let response: APIDataResponse = await withCheckedContinuation { waiter in
                client.createDataRequest(request: request, progressHandler: nil) {
                    waiter.resume(returning: $0)
                }.resume()
            }
            guard case .failure(.broken(let error)) = response.result,
                APIError.connectionError(error).allowsResend(method, after: resends)
            else { return response }
            resends += 1
        }
    }

    static func text(_ response: APIDataResponse) throws -> String {
        String(decoding: try response.result.get(), as: UTF8.self)
    }

    /// Returns the error of a request that must fail.
    static func failure(
        _ response: APIDataResponse, _ context: @autoclosure () -> String = ""
    ) throws -> APITransportError {
        switch response.result {
        case .failure(let error): return error
        case .success(let body):
            throw Violation(
                description:
                    "\(context()): no error, but \(body.count) bytes with status \(response.response?.statusCode ?? 0)"
            )
        }
    }

    /// Whether a request has failed because the exchange was silent for too long.
    static func isTimeout(_ response: APIDataResponse) -> Bool {
        guard case .failure(.broken(let error as URLError)) = response.result else { return false }
        return error.code == .timedOut
    }

    // MARK: Tasks

    private static let tasks = [
        Check("a task does nothing before resume and starts only once") { client, front in
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
                count.value == 1 && server.requests.count == 2, "\(server.requests.count) requests arrived")
        },
        Check("a task cancelled before resume completes with `cancelled` and sends nothing") {
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
            try expect(server.requests.isEmpty, "the server received a request")
        },
        Check("cancelling a hanging exchange closes its connection and completes it exactly once") {
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
        Check("a hundred concurrent exchanges, some of them cancelled, complete once each") { client, front in
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
                            // A service would send the request again.
                            case .failure(.broken(is APIClosedConnection)): "success"
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
