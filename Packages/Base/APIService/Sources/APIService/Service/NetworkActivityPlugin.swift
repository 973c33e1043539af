import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tells when the network is in use: once when the first of overlapping sends begins, once when the last ends.
///
/// ```swift
/// let networkActivityPlugin = NetworkActivityPlugin { change in
///     print(change == .began ? "loading" : "done")
/// }
/// ```
///
/// Sends count together when they share one plugin; copies of it share the count. The changes are told one
/// at a time, in order, alternating, from any thread. The handler must not start or end a send of the same
/// plugin before it returns.
///
/// Source: seeds/5-CSAPIService.md, "Loading Plugin".
public struct NetworkActivityPlugin: APIPlugin {
    /// What changed.
    public enum Change: Sendable, Hashable {
        /// The first of overlapping sends began.
        case began
        /// The last of them ended.
        case ended
    }

    private final class Counter: Sendable {
        let count = Locked(0)
    }

    private let counter = Counter()
    private let handler: @Sendable (Change) -> Void

    /// A plugin that tells `handler`.
    public init(_ handler: @escaping @Sendable (Change) -> Void) { self.handler = handler }

    /// Counts one more.
    public func willSend<T: APIRequest>(_ request: URLRequest, targetRequest: T) {
        counter.count.withLock { count in
            count += 1
            if count == 1 { handler(.began) }
        }
    }

    /// Counts one less.
    public func didReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T) {
        counter.count.withLock { count in
            count -= 1
            if count == 0 { handler(.ended) }
        }
    }
}
