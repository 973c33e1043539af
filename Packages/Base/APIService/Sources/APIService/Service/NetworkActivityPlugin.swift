import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Reports when the network is in use: once when the first of several overlapping requests starts, and once
/// when the last one ends.
///
/// ```swift
/// let networkActivityPlugin = NetworkActivityPlugin { change in
///     print(change == .began ? "loading" : "done")
/// }
/// ```
///
/// Requests are counted together if they share one plugin; copies of a plugin share its count. The handler is
/// called on any thread with one change at a time, alternating between ``Change/began`` and ``Change/ended``.
/// It must not start or end a request with the same plugin before it returns.
///
/// Source: seeds/5-CSAPIService.md, "Loading Plugin".
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
