// The parts of Apple's os that the modules use.

public struct OSLogPrivacy: Sendable {
    public static var `public`: OSLogPrivacy { fatalError("not called") }
    public static var `private`: OSLogPrivacy { fatalError("not called") }
    public static var auto: OSLogPrivacy { fatalError("not called") }
}

public struct OSLogInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .auto
    ) {}
}

public struct OSLogMessage: ExpressibleByStringInterpolation {
    public init(stringInterpolation: OSLogInterpolation) {}
    public init(stringLiteral value: String) {}
}

public struct Logger: @unchecked Sendable {
    public init(subsystem: String, category: String) {}
    public func debug(_ message: OSLogMessage) {}
    public func error(_ message: OSLogMessage) {}
}

public struct OSSignpostID: Sendable {}

public final class OSSignpostIntervalState {
    public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { fatalError("not called") }
}

public struct OSSignposter: @unchecked Sendable {
    public init(subsystem: String, category: String) {}
    public func makeSignpostID() -> OSSignpostID { OSSignpostID() }
    public func beginInterval(
        _ name: StaticString, id: OSSignpostID, _ message: OSLogMessage
    ) -> OSSignpostIntervalState { fatalError("not called") }
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
}
