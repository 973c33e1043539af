#if canImport(Network)
import Foundation
import Locking
import Network

/// Reports whether the system considers the network reachable. It only diagnoses failures and never prevents
/// a request from being sent.
///
/// ```swift
/// let reachability = APIReachability()
/// APIConfig.shared.update { $0.isReachable = { reachability.isReachable } }
/// ```
///
/// For Apple platforms only. The library is developed on Linux, where this class is compiled against
/// stand-ins (`Scripts/apple`) but not tested.
///
/// All operations are thread-safe.
///
/// Source: Apple, `NWPathMonitor`: https://developer.apple.com/documentation/network/nwpathmonitor
public final class APIReachability: Sendable {
    /// The monitor is used only while the lock is held, because `NWPathMonitor` is not guaranteed to be Sendable.
    private struct State {
        let monitor: NWPathMonitor
        var isReachable: Bool?
    }

    private let state: Locked<State>

    /// Starts monitoring the network. Monitoring ends when the object is deallocated.
    public init() {
        state = Locked(State(monitor: NWPathMonitor()))
        state.withLock { state in
            // The monitor calls this later, on its queue.
            state.monitor.pathUpdateHandler = { [weak self] path in
                let isReachable = path.status == .satisfied
                self?.state.withLock { $0.isReachable = isReachable }
            }
            state.monitor.start(queue: DispatchQueue(label: "APIService.APIReachability"))
        }
    }

    deinit { state.withLock { $0.monitor.cancel() } }

    /// Whether the network is reachable; `nil` until the system has reported a status.
    public var isReachable: Bool? { state.withLock { $0.isReachable } }
}
#endif
