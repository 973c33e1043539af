import Foundation

/// A value that is written and read from any thread.
///
/// Unchecked: the value is touched under the lock only.
public final class Recorded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    /// Holds this value.
    public init(_ value: Value) { stored = value }

    /// The value as it is now.
    public var value: Value { lock.withLock { stored } }

    /// Changes the value, nobody else seeing it meanwhile.
    @discardableResult
    public func update<Result>(_ change: (inout Value) -> Result) -> Result {
        lock.withLock { change(&stored) }
    }
}
