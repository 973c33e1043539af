import APIService
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Lets equal requests that run at the same time share one exchange with the server.
///
/// ```swift
/// config.update { $0.coalescing = APICoalescing() }
/// ```
///
/// Only requests that conform to ``APICoalescingRequest`` share an exchange. Every request gets the answer or the error
/// of the shared exchange, no matter when it joined. A cancelled request leaves without affecting the others; when the
/// last one leaves, the exchange is cancelled.
///
/// All operations are thread-safe.
public final class APICoalescing: Sendable {
    /// Everything that is known about a request before accessories adapt it. Only the answer's `Vary` could tell which
    /// header fields matter, but no answer has arrived yet, so the key contains all fields.
    struct Key: Hashable {
        private let url: URL?
        private let method: String?
        private let fields: [String: String]?
        private let body: Data?
        private let group: SharingGroup

        init(_ request: URLRequest, _ group: SharingGroup) {
            (url, method, body) = (request.url, request.httpMethod, request.httpBody)
            (fields, self.group) = (request.allHTTPHeaderFields, group)
        }
    }

    private struct Exchange {
        let number: Int
        let task: Task<APIAnswer, any Error>
        /// The number of requests that have started or joined the exchange.
        var members = 1
        /// The number of members that have not been cancelled.
        var waiters = 1
    }

    /// Creates an object without running exchanges.
    public init() {}

    private let state = Locked<(running: [Key: Exchange], begun: Int)>(([:], 0))

    /// The number of running exchanges, for tests.
    var count: Int { state.withLock { $0.running.count } }

    /// The number of requests that wait for running exchanges, for tests.
    var waiters: Int { state.withLock { $0.running.values.reduce(0) { $0 + $1.waiters } } }

    /// Joins the running exchange for the key, or starts `exchange` if none is running for the key.
    private func join(
        _ key: Key, _ journal: Journal, _ exchange: @escaping @Sendable () async throws -> APIAnswer
    ) -> (number: Int, task: Task<APIAnswer, any Error>) {
        state.withLock { state in
            if var running = state.running[key] {
                running.members += 1
                running.waiters += 1
                state.running[key] = running
                journal.note(
                    .coalescing,
                    "joined exchange \(running.number), now shared by \(running.members) requests")
                return (running.number, running.task)
            }
            state.begun += 1
            let number = state.begun
            journal.note(.coalescing, "began exchange \(number), which equal requests may join")
            let task = Task {
                defer { self.end(key, number) }
                return try await exchange()
            }
            state.running[key] = Exchange(number: number, task: task)
            return (number, task)
        }
    }

    /// Leaves an exchange. The last request to leave cancels it.
    private func leave(_ key: Key, _ number: Int) {
        let abandoned = state.withLock { state -> Task<APIAnswer, any Error>? in
            guard var running = state.running[key], running.number == number else { return nil }
            running.waiters -= 1
            state.running[key] = running.waiters > 0 ? running : nil
            return running.waiters > 0 ? nil : running.task
        }
        abandoned?.cancel()
    }

    private func end(_ key: Key, _ number: Int) {
        state.withLock { if $0.running[key]?.number == number { $0.running[key] = nil } }
    }
}

/// A request that may share its exchange with equal requests. Only safe methods, such as GET, share exchanges.
///
/// Requests are equal if they were made with the same service, by the same users and with the same settings, and have the
/// same time limit, retry policy, method, URL, body and header fields before accessories adapt them. The first of them decides
/// when the exchange began, and therefore how long a Retry-After may be. Uploads, downloads, requests with a progress handler
/// and requests that a token refresh sends share no exchange.
///
/// If a field has a new value in every request, for example a request ID, let an accessory add it: otherwise no two
/// requests are equal.
public protocol APICoalescingRequest: APIRequest {
    /// Whether this request shares its exchange. True by default.
    var coalesces: Bool { get }
}

extension APICoalescingRequest {
    public var coalesces: Bool { true }
}

extension APISettings {
    /// The exchanges that equal requests share; `nil` by default, so that every request has its own exchange.
    public var coalescing: APICoalescing? {
        get { sharing as? APICoalescing }
        set { sharing = newValue }
    }
}

extension APICoalescing: SharingProvider {
    package func shares(_ request: any APIRequest) -> Bool {
        (request as? any APICoalescingRequest)?.coalesces ?? false
    }

    package func join(
        _ request: URLRequest, _ group: SharingGroup, _ journal: Journal,
        cancel: @escaping @Sendable () -> Void,
        _ exchange: @escaping @Sendable () async throws -> APIAnswer
    ) async throws -> APIAnswer {
        let key = Key(request, group)
        let (number, task) = join(key, journal) {
            try await withTaskCancellationHandler(operation: exchange, onCancel: cancel)
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            leave(key, number)
        }
    }
}
