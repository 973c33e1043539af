#if canImport(Network)
import Dispatch
import Locking
import Network

/// Whether the network can be reached, as far as the system knows: a diagnosis, which never keeps a request from
/// being sent.
///
/// ```swift
/// let reachability = APIReachability()
/// APIConfig.shared.update { $0.isReachable = { reachability.isReachable } }
/// ```
///
/// Apple platforms only; it is not built, and so not tested, where this library is developed (Linux).
///
/// All operations are safe from every thread.
public final class APIReachability: Sendable {
    private let monitor = NWPathMonitor()
    private let known = Locked<Bool?>(nil)

    /// Watches the network until it is freed.
    public init() {
        monitor.pathUpdateHandler = { [weak self] path in
            self?.known.withLock { $0 = path.status == .satisfied }
        }
        monitor.start(queue: DispatchQueue(label: "APIService.APIReachability"))
    }

    deinit { monitor.cancel() }

    /// Whether there is a way to the network; nil as long as the system has not said.
    public var isReachable: Bool? { known.withLock { $0 } }
}
#endif
