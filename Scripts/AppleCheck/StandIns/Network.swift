// The parts of Apple's Network that the modules use. The monitor is not Sendable, as in the older SDKs.
import Dispatch

public struct NWPath: Sendable {
    public enum Status: Sendable {
        case satisfied, unsatisfied, requiresConnection
    }
    public var status: Status { .satisfied }
}

public final class NWPathMonitor {
    public init() {}
    public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)?
    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}
