// The parts of Apple's Dispatch that the modules and Foundation use.
open class DispatchObject: @unchecked Sendable {
    init() {}
}

public struct DispatchQoS: Sendable {
    public static let unspecified = DispatchQoS()
    public static let utility = DispatchQoS()
}

public final class DispatchSpecificKey<T> {
    public init() {}
}
extension DispatchSpecificKey: Sendable where T: Sendable {}

open class DispatchQueue: DispatchObject, @unchecked Sendable {
    public init(label: String, qos: DispatchQoS = .unspecified) { super.init() }
    public class var main: DispatchQueue { DispatchQueue(label: "main") }
    @preconcurrency public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
    public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
    public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {}
    public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { nil }
}

open class DispatchSemaphore: DispatchObject, @unchecked Sendable {
    public init(value: Int) { super.init() }
    public func wait() {}
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
    @discardableResult public func signal() -> Int { 0 }
}

public enum DispatchTimeoutResult: Sendable {
    case success, timedOut
}

public struct DispatchTime: Sendable {
    public static func now() -> DispatchTime { DispatchTime() }
    public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
}

public enum DispatchTimeInterval: Sendable {
    case seconds(Int)
}
