import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Observes requests at the network level, for example for loading indicators, logs and metrics. A plugin may also
/// change a request before it is sent.
///
/// The calls are balanced: each ``willSend(_:targetRequest:)`` is followed by exactly one
/// ``willReceive(_:targetRequest:)`` and one ``didReceive(_:targetRequest:)``, whether the request succeeds,
/// fails, times out or is cancelled. A request that ends before `willSend`, because it could not be built,
/// was vetoed or was answered from the cache, triggers none of the three. Plugins are always called in the
/// order in which they were passed.
///
/// The methods are called on any thread; the calls for one request never overlap. All methods have a default
/// implementation that does nothing. Declare the conformance in an extension: only then does the
/// compiler warn about methods that nearly match a requirement and would never be called.
///
/// Source: seed 5, "APIPlugin".
public protocol APIPlugin: Sendable {
    /// Returns the request to send, based on `request`.
    ///
    /// - Throws: ``APIVeto`` to refuse the request, or any other error that prevents building it.
    func prepare<T: APIRequest>(_ request: URLRequest, targetRequest: T) throws -> URLRequest

    /// Called once before the request is sent, however many attempts it takes.
    func willSend<T: APIRequest>(_ request: URLRequest, targetRequest: T)

    /// Called before the response is delivered, and before the request's own interceptor sees it.
    func willReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T)

    /// Called after the response has been delivered, with the response that the request's interceptor
    /// returned. The async methods call it just before they return.
    func didReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T)
}

/// The default implementations.
extension APIPlugin {
    public func prepare<T: APIRequest>(_ request: URLRequest, targetRequest: T) throws -> URLRequest {
        request
    }
    public func willSend<T: APIRequest>(_ request: URLRequest, targetRequest: T) {}
    public func willReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T) {}
    public func didReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T) {}
}

/// Reports when the network is in use: once when the first of several overlapping requests starts, and once
/// when the last one ends.
///
/// ```swift
/// let networkActivityPlugin = NetworkActivityPlugin { change in
///     print(change == .began ? "loading" : "done")
/// }
/// ```
///
/// A plugin counts every request that it observes; copies of a plugin share one count. The handler is called on any
/// thread with one change at a time, alternating between ``Change/began`` and ``Change/ended``. The handler must not
/// start or end a request with the same plugin before it returns.
///
/// Source: seed 5, "Loading Plugin".
public struct NetworkActivityPlugin: APIPlugin {
    /// A change in network activity.
    public enum Change: Sendable, Hashable {
        /// The first of several overlapping requests started.
        case began
        /// The last of the overlapping requests ended.
        case ended
    }

    private final class Counter: Sendable {
        let count = Locked(0)
    }

    private let counter = Counter()
    private let handler: @Sendable (Change) -> Void

    /// Creates a plugin that reports changes to `handler`.
    public init(_ handler: @escaping @Sendable (Change) -> Void) { self.handler = handler }

    /// Increments the number of running requests.
    public func willSend<T: APIRequest>(_ request: URLRequest, targetRequest: T) {
        counter.count.withLock { count in
            count += 1
            if count == 1 { handler(.began) }
        }
    }

    /// Decrements the number of running requests.
    public func didReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T) {
        counter.count.withLock { count in
            count -= 1
            if count == 0 { handler(.ended) }
        }
    }
}
